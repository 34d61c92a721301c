/** Tells what becomes of what is sent, and when that changes. */
import type { EventOf, Telemetry } from "../events.js";

type Sent = EventOf<"sink_sent">;
export type SinkReport = (count: number, result: Sent["result"], error?: string) => void;

export function sinkReport(sink: Sent["sink"], telemetry: Telemetry): SinkReport {
  let isDown = false;
  return (count, result, error) => {
    const isChange = result !== "crowded_out" && isDown !== (result === "not_taken");
    if (isChange) isDown = !isDown;
    telemetry.emit({ type: "sink_sent", sink, result, count, isChange, error });
  };
}
