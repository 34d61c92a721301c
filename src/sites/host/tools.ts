/**
 * The ten readings of a machine: how each is declared, in the shape of the settings, and what it may be called with. How
 * they are taken stands in readings.ts, which runs in a process of its own.
 */
import { z } from "zod";
import type { ReadOptions, ToolOptions } from "../options.js";
import { SiteFailure } from "../port.js";
import type { OfferedTool } from "../schema-digest.js";
import { isServiceName } from "./names.js";

type ReadingTool = Extract<ToolOptions, { effect: "read" }>;
type Reads = Readonly<Record<string, Omit<ReadOptions, "maxAgeMs">>>;

/** Older ones are no present ones. */
const STALE_MS = 300_000;
const LINES_MAX = 200;
const PATH_CHARS_MAX = 1_024;
const DAY_MINUTES = 1_440;

function tool(reads: Reads, more: Partial<Pick<ReadingTool, "kinds" | "target">> = {}): ReadingTool {
  const dated = Object.entries(reads).map(([signal, read]) => [signal, { ...read, maxAgeMs: STALE_MS }]);
  return { effect: "read", arguments: {}, kinds: [], reads: Object.fromEntries(dated), ...more };
}

/** By the reference's names. What is no value of the machine or of a resource of it stands in the content alone. */
export const HOST_TOOLS: Readonly<Record<string, ReadingTool>> = {
  linux_system_info: tool({
    load: { value: "/load_1m" },
    cpu: { value: "/cpu_used_percent", unit: "%" },
    memory: { value: "/memory_used_percent", unit: "%" },
    free_memory: { value: "/memory_free_gb", unit: "GB" },
    total_memory: { value: "/memory_total_gb", unit: "GB" },
    uptime: { value: "/uptime_s", unit: "s" },
  }),
  linux_processes: tool({ processes: { value: "/process_count" } }),
  linux_containers: tool(
    { status: { each: "/containers", name: "/name", value: "/status" } },
    { kinds: ["container"] },
  ),
  linux_service_status: tool({ status: { value: "/status" } }, { kinds: ["service"], target: "service" }),
  linux_disk_usage: tool({
    disk: { value: "/used_percent", unit: "%" },
    free_disk: { value: "/free_gb", unit: "GB" },
  }),
  linux_network_info: tool({
    ports: { each: "/open_ports", value: "/port" },
    connections: { value: "/connection_count" },
  }),
  linux_disk_io: tool({
    disk_read: { value: "/read_mb_per_s", unit: "MB/s" },
    disk_write: { value: "/write_mb_per_s", unit: "MB/s" },
  }),
  linux_network_traffic: tool({
    received: { value: "/received_mb_per_s", unit: "MB/s" },
    sent: { value: "/sent_mb_per_s", unit: "MB/s" },
  }),
  linux_recent_logs: tool({}),
  linux_file_changes: tool({ changed_files: { value: "/changed_count" } }),
};

const serviceName = z.string().refine(isServiceName, "that is no name of a service");
const none = z.strictObject({});

const ARGUMENTS: Readonly<Record<string, z.ZodType<object>>> = {
  linux_service_status: z.strictObject({ service: serviceName }),
  linux_recent_logs: z.strictObject({
    lines: z.int().min(1).max(LINES_MAX).default(20),
    service: serviceName.optional(),
  }),
  linux_file_changes: z.strictObject({
    folder: z.string().max(PATH_CHARS_MAX).startsWith("/").default("/etc"),
    within_minutes: z.int().min(1).max(DAY_MINUTES).default(60),
  }),
};

/** As a server would offer them. */
export const HOST_OFFER: readonly OfferedTool[] = Object.keys(HOST_TOOLS).map((name) => ({
  name,
  inputSchema: z.toJSONSchema(ARGUMENTS[name] ?? none, { io: "input", unrepresentable: "any" }),
  annotations: { readOnlyHint: true },
}));

/** Throws `SiteFailure` where there is no such reading, or where it may not be called with these. */
export function checkedArguments(tool: string, args: Readonly<Record<string, unknown>>): object {
  if (!Object.hasOwn(HOST_TOOLS, tool)) throw new SiteFailure("NOT_FOUND", "there is no such reading");
  const { data, error } = (ARGUMENTS[tool] ?? none).safeParse(args);
  if (error !== undefined) throw new SiteFailure("MALFORMED", z.prettifyError(error), { cause: error });
  return data;
}
