/**
 * The process in which the machine is read: `systeminformation` runs programs synchronously, files may hang, and none of
 * it sees the service's environment. What hangs ends with this process.
 */
import { serveProcessCalls } from "../../lib/call-process-child.js";
import { SiteFailure } from "../port.js";
import { containers } from "./containers.js";
import { fileChanges } from "./file-changes.js";
import { recentLogs } from "./logs.js";
import { Machine } from "./machine.js";
import { networkInfo } from "./network.js";
import { processes } from "./processes.js";
import { serviceStatus } from "./services.js";
import { collectPart, type SteadyPart } from "./steady-parts.js";
import { diskIo, diskUsage, networkTraffic } from "./storage.js";
import { systemInfo } from "./system-info.js";

export type HostCalls = {
  /** Arguments are checked already; `msMax` is for each command, `bytesMax` for the reply as JSON. */
  read: { input: { tool: string; args: object; bytesMax: number; msMax: number }; output: object };
  collect: { input: { part: SteadyPart; msMax: number }; output: object };
};

const READINGS: Readonly<Record<string, (machine: Machine, args: never) => Promise<object>>> = {
  linux_system_info: systemInfo,
  linux_processes: processes,
  linux_containers: containers,
  linux_service_status: serviceStatus,
  linux_disk_usage: diskUsage,
  linux_network_info: networkInfo,
  linux_disk_io: diskIo,
  linux_network_traffic: networkTraffic,
  linux_recent_logs: recentLogs,
  linux_file_changes: fileChanges,
};

serveProcessCalls<HostCalls>({
  read: async ({ args, bytesMax, msMax, tool }) => {
    const content = await READINGS[tool]!(new Machine("/", msMax), args as never);
    if (Buffer.byteLength(JSON.stringify(content)) <= bytesMax) return content;
    throw new SiteFailure("TOO_LARGE", `${tool} tells more than ${bytesMax} bytes`);
  },
  collect: ({ msMax, part }) => collectPart(new Machine("/", msMax), part),
});
