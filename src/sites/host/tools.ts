/** The ten readings of a machine as settings would declare them; how they are taken stands in readings.ts. */
import { z } from "zod";
import type { ReadOptions, ToolOptions } from "../options.js";
import { SiteFailure } from "../port.js";
import { NAME } from "./services.js";

type ReadingTool = Extract<ToolOptions, { effect: "read" }>;

/** Older ones are no present ones. */
const maxAgeMs = 300_000;

/** `units`: of the values that stand in the reply by the names of their signals; "": a value without a unit. */
function tool(units: Readonly<Record<string, string>>, more: Partial<ReadingTool> = {}): ReadingTool {
  const reads: Record<string, ReadOptions> = {};
  for (const [signal, unit] of Object.entries(units))
    reads[signal] = { value: `/${signal}`, maxAgeMs, ...(unit !== "" && { unit }) };
  return { effect: "read", arguments: {}, kinds: [], ...more, reads: { ...reads, ...more.reads } };
}

const CONTAINERS = { status: { each: "/containers", name: "/name", value: "/status", maxAgeMs } };

/** By the reference's names. What is no value of the machine or of a resource of it stands in the content alone. */
export const HOST_TOOLS: Readonly<Record<string, ReadingTool>> = {
  linux_system_info: tool({
    load: "",
    cpu: "%",
    memory: "%",
    free_memory: "GB",
    total_memory: "GB",
    uptime: "s",
  }),
  linux_processes: tool({ processes: "" }),
  linux_containers: tool({}, { kinds: ["container"], reads: CONTAINERS }),
  linux_service_status: tool({ status: "" }, { kinds: ["service"], target: "service" }),
  linux_disk_usage: tool({ disk: "%", free_disk: "GB" }),
  linux_network_info: tool(
    { connections: "" },
    { reads: { ports: { each: "/ports", value: "", maxAgeMs } } },
  ),
  linux_disk_io: tool({ disk_read: "MB/s", disk_write: "MB/s" }),
  linux_network_traffic: tool({ received: "MB/s", sent: "MB/s" }),
  linux_recent_logs: tool({ log_errors: "" }),
  linux_file_changes: tool({ changed_files: "" }),
};

/** What a reading is about; "": all of the machine. Throws `SiteFailure` where it is none, or not called as it must be. */
export function checkedTarget(tool: string, args: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(HOST_TOOLS, tool)) throw new SiteFailure("NOT_FOUND", "there is no such reading");
  const { target } = HOST_TOOLS[tool]!;
  const schema = z.strictObject(target === undefined ? {} : { [target]: z.string().regex(NAME) });
  const { data, error } = schema.safeParse(args);
  if (error !== undefined) throw SiteFailure.of(error, "MALFORMED");
  return Object.values(data)[0] ?? "";
}
