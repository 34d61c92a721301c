/** How a person, or the next step of a turn, can find out what a claim left open: by which tool. */
import type { Evidence } from "../../domain/answer.js";
import type { ToolReading } from "./facts.js";

/** Names a tool that was asked before about the same, or the one that knows such things. */
export function suggestionFor(
  claim: string,
  evidence: readonly Evidence[],
  tools: readonly ToolReading[],
): string {
  const asked = evidence.find(({ type }) => type === "tool_output")?.source;
  const tool = asked ?? KNOWN_TOOLS.find(([words]) => words.test(claim))?.[1] ?? tools[0]?.tool;
  return tool === undefined ? "Read it from the system itself." : `Read it anew with ${tool}.`;
}

/** What the tools of a Linux site tell; the first that fits. */
const KNOWN_TOOLS: readonly (readonly [RegExp, string])[] = [
  [/\bcontainers?\b|\bdocker\b/i, "linux_containers"],
  [/\bdisk|\bmount|\bfilesystem|\bpartition|\bstorage\b/i, "linux_disk_usage"],
  [/\bports?\b|\bip\b|\baddress|\bnetwork|\bgateway|\bdns\b|\bconnection/i, "linux_network_info"],
  [/\bprocess(?:es)?\b|\bpid\b/i, "linux_processes"],
  [/\bservices?\b|\bdaemon\b|\b(?:running|active|stopped|enabled|failed)\b/i, "linux_service_status"],
  [
    /\bmemory\b|\bram\b|\bcpu\b|\bload\b|\buptime\b|\bkernel\b|\bhostname\b|\bos\b|\boperating system\b|\bcores?\b/i,
    "linux_system_info",
  ],
];
