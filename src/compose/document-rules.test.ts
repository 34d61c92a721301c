/** The look for a rule: whose documents it asks, and that it never takes long and never fails. */
import { describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { passage } from "../../test/support/fake-retrieval.js";
import { english } from "../../test/support/locales.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import type { Passage } from "../domain/passage.js";
import type { Reading } from "../domain/reading.js";
import { type SearchRequest, SearchUnavailable } from "../retrieval/port.js";
import { createDocumentRules, RULE_MS_MAX } from "./document-rules.js";

const access = { network: "acme", username: "ann", groups: ["drivers"], kiosk: false };
const thing = {
  ...{
    id: "plant/room/c1",
    site: "plant",
    kind: "room",
    names: ["cold room"] as const,
    address: "c1",
    paths: [],
  },
  access: { network: "acme", visibility: "network", allowedUsers: [], allowedGroups: [] } as const,
};
const reading = (value: number | string, more: Partial<Reading> = {}): Reading => ({
  ...{
    target: thing.id,
    signal: "temperature",
    value,
    unit: "°C",
    takenAtMs: 0,
    tool: "plant.read",
    ...more,
  },
});
const RULE = passage("a", "Keep the cold room below 5 °C.");

async function looked(search: (request: SearchRequest) => Promise<readonly Passage[]>) {
  const clock = new VirtualClock();
  const telemetry = new RecordedEvents();
  const asked: SearchRequest[] = [];
  const retrieval = {
    search: (request: SearchRequest) => {
      asked.push(request);
      return search(request);
    },
  };
  const abort = new AbortController();
  const book = createDocumentRules({ clock, telemetry, retrieval });
  const rule = book.about(thing, "temperature", { access, locale: english }, abort.signal);
  return { abort, asked, clock, rule, telemetry };
}

describe("the look for a rule", () => {
  it("asks with the access of the user, and tells what is out of bounds", async () => {
    const { asked, rule } = await looked(async () => [RULE]);
    const of = await rule;
    expect(asked).toEqual([{ query: "cold room temperature", access, limit: 8 }]);
    expect(of(reading(9))).toMatchObject({
      passage: RULE,
      title: RULE.title,
      isAllowed: false,
      rule: { low: 5 },
    });
    expect(of(reading(4))).toMatchObject({ isAllowed: true });
    for (const other of [reading("warm"), reading(9, { unit: "bar" }), reading(9, { signal: "set_point" })])
      expect(of(other)).toBeUndefined();
  });

  it("is over after a short time", async () => {
    const { clock, rule } = await looked(() => new Promise<never>(() => {}));
    await clock.advance(RULE_MS_MAX);
    expect((await rule)(reading(9))).toBeUndefined();
  });

  it.each([
    ["does not answer", new SearchUnavailable("gone"), 0],
    ["has a fault", new TypeError("no such thing"), 1],
  ])("finds nothing where the search %s", async (_what, error, faults) => {
    const { rule, telemetry } = await looked(() => Promise.reject(error));
    expect((await rule)(reading(9))).toBeUndefined();
    expect(telemetry.of("service_fault")).toHaveLength(faults);
  });

  it("finds nothing where the turn is over", async () => {
    const { abort, rule, telemetry } = await looked(() => new Promise<never>(() => {}));
    abort.abort(new Error("stopped"));
    expect((await rule)(reading(9))).toBeUndefined();
    expect(telemetry.of("service_fault")).toEqual([]);
  });
});
