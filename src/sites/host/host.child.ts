/** The process in which the machine is read, without the service's environment: what hangs or blocks ends with it. */
import { serveProcessCalls } from "../../lib/call-process-child.js";
import { SiteFailure } from "../port.js";
import { Machine } from "./machine.js";
import { COLLECTORS, READINGS, type Take } from "./readings.js";

export type HostCalls = {
  /** A reading or a part of what changes rarely; `msMax` is for each command, `bytesMax` for the reply as JSON. */
  take: { input: { what: string; target: string; bytesMax: number; msMax: number }; output: object };
};

const TAKES: Readonly<Record<string, Take>> = { ...READINGS, ...COLLECTORS };

serveProcessCalls<HostCalls>({
  take: async ({ bytesMax, msMax, target, what }) => {
    const content = await TAKES[what]!(new Machine("/", msMax), target);
    if (Buffer.byteLength(JSON.stringify(content)) <= bytesMax) return content;
    throw new SiteFailure("TOO_LARGE", `${what} tells more than ${bytesMax} bytes`);
  },
});
