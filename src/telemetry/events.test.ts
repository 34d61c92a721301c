import { describe, expect, it } from "vitest";
import { createTelemetry, type TelemetryEvent, withinTurn } from "./events.js";
import { SAMPLES } from "./sample-events.test-util.js";

describe("telemetry", () => {
  it("hands every event to every subscriber, in order", () => {
    const told: string[] = [];
    const telemetry = createTelemetry([
      ({ type }) => told.push(`one ${type}`),
      ({ type }) => told.push(`two ${type}`),
    ]);
    telemetry.emit(SAMPLES.chat_opened);
    telemetry.emit(SAMPLES.chat_closed);
    expect(told).toEqual(["one chat_opened", "two chat_opened", "one chat_closed", "two chat_closed"]);
  });

  it("stamps what happens in a turn with its id, also when it is emitted later", async () => {
    const told: TelemetryEvent[] = [];
    const telemetry = createTelemetry([(event) => told.push(event)]);
    await withinTurn("t-7", async () => {
      await Promise.resolve();
      telemetry.emit(SAMPLES.search_finished);
    });
    telemetry.emit(SAMPLES.search_finished);
    expect(told).toEqual([{ ...SAMPLES.search_finished, turn: "t-7" }, SAMPLES.search_finished]);
  });

  it("leaves alone an event that names its turn: one may tell of another", () => {
    const told: TelemetryEvent[] = [];
    const telemetry = createTelemetry([(event) => told.push(event)]);
    withinTurn("t-7", () => telemetry.emit(SAMPLES.turn_dropped));
    expect(told).toEqual([SAMPLES.turn_dropped]);
  });

  it("does not let a subscriber that throws break what it watches, and tells of it", () => {
    const told: TelemetryEvent[] = [];
    const telemetry = createTelemetry([
      () => {
        throw new Error("no room");
      },
      (event) => told.push(event),
    ]);
    telemetry.emit(SAMPLES.chat_opened);
    expect(told).toEqual([
      { type: "service_fault", where: "telemetry", error: "Error: no room" },
      SAMPLES.chat_opened,
    ]);
  });
});
