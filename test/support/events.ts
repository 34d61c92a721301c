/** Telemetry that remembers what it was told. */
import { createTelemetry, type Telemetry, type TelemetryEvent } from "../../src/telemetry/events.js";

export class RecordedEvents implements Telemetry {
  readonly all: TelemetryEvent[] = [];
  readonly emit = createTelemetry([(event) => this.all.push(event)]).emit;

  of<Type extends TelemetryEvent["type"]>(type: Type): Extract<TelemetryEvent, { type: Type }>[] {
    return this.all.filter((event): event is Extract<TelemetryEvent, { type: Type }> => event.type === type);
  }
}
