/** Telemetry that remembers what it was told. */
import type { Telemetry, TelemetryEvent } from "../../src/telemetry/events.js";

export class RecordedEvents implements Telemetry {
  readonly all: TelemetryEvent[] = [];

  emit(event: TelemetryEvent): void {
    this.all.push(event);
  }

  of<Type extends TelemetryEvent["type"]>(type: Type): Extract<TelemetryEvent, { type: Type }>[] {
    return this.all.filter((event): event is Extract<TelemetryEvent, { type: Type }> => event.type === type);
  }
}
