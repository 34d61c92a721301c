/** Which resource is meant, who may know of it, what a chat remembers of it, and the way to it. */
import { describe, expect, it } from "vitest";
import { plantResource } from "../../../test/support/resources.js";
import { NO_TARGETS } from "../../domain/target-context.js";
import type { Access } from "../../domain/user.js";
import { atOnce } from "../../lib/steps.js";
import { loadGrammars } from "../../locale/commands/load.js";
import { routingFault, strictTarget, targetBriefing } from "../check-by-model.js";
import { NameIndex } from "./forms.js";
import {
  afterResolution,
  afterUse,
  Registry,
  resourcesOf,
  spokenOf,
  TARGET_MS_MAX,
  TARGETS_MAX,
} from "./registry.js";
import { resolveTarget } from "./resolve.js";

const grammars = await loadGrammars();
const worker: Access = { network: "n", username: "ann", groups: [], kiosk: false };
const open = { network: "n", visibility: "network", allowedUsers: [], allowedGroups: [] } as const;
const secret = { ...open, visibility: "restricted" } as const;

const hall = { area: "hall two" };
const plant = [
  plantResource("pump", "p2", ["pump two", "P-102"], hall),
  plantResource("pump", "p3", ["pump three"], hall),
  plantResource("pump", "p4", ["pump four"], { area: "hall three" }),
  plantResource("pump", "p8", ["pump eight", "dragon feeder"], { access: secret, area: "the vault" }),
  plantResource("press", "a", ["press A"]),
  plantResource("press", "b", ["press B"]),
  plantResource("line", "l3", ["line three"], hall),
  plantResource("printer", "lp3", ["label printer on line three"], { ...hall, parent: "plant/line/l3" }),
  plantResource("node", "delly", ["delly"]),
  plantResource("host", "media", ["media server"], { parent: "plant/node/delly" }),
  plantResource("container", "home", ["homepage-docker"], {
    parent: "plant/host/media",
    paths: [
      { inside: "/config", outside: "/opt/home" },
      { inside: "/config/keys", outside: "/srv/keys" },
    ],
  }),
];
const registry = Registry.EMPTY.with("plant", plant);
const known = registry.knownTo(worker);

function resolved(utterance: string, context = NO_TARGETS, of = known) {
  const found = atOnce(
    resolveTarget({ utterance, language: "en" }, { known: of, grammars, context, nowMs: 0 }),
  );
  if (found.type === "one") return found.resource.address;
  if (found.type === "several") return found.resources.map(({ address }) => address);
  if (found.type === "ask") return `? ${found.between.map(({ address }) => address).join(" ")}`;
  return found.type;
}

describe("a resource is meant", () => {
  it.each([
    ["is pump two running", "p2"],
    ["is pump to running", "p2"],
    ["is P one oh two on", "p2"],
    ["is the pomp three on", "p3"],
    ["is the label her printer on line tree up", "lp3"],
    ["is the printer on line three up", "lp3"],
    ["is home page up", "home"],
    ["is press bee ready", "b"],
    ["is the pump in hall three on", "p4"],
    ["is the press ready", "? a b"],
    ["is the pump on", "? p2 p3 p4"],
    ["is pump two three on", "? p2 p3"],
    ["is pump nineteen running", "unknown"],
    ["is pump eight running", "unknown"],
    ["is the printer in hall nine up", "unknown"],
    ["are all the pumps on", ["p2", "p3", "p4"]],
    ["are both presses ready", ["a", "b"]],
    ["are pump two and pump four on", ["p2", "p4"]],
    ["are all the pumps in hall two on", ["p2", "p3"]],
    ["is everything in hall two okay", ["p2", "p3", "l3", "lp3"]],
    ["is every thing in hall two okay", ["p2", "p3", "l3", "lp3"]],
    ["how are you", "none"],
  ])("%s", (utterance, expected) => {
    expect(resolved(utterance)).toEqual(expected);
  });

  const site = [
    plantResource("hall", "h1", ["hall one"]),
    plantResource("hall", "h2", ["hall two"]),
    plantResource("thermometer", "t1", ["temperature in hall one"], { parent: "plant/hall/h1" }),
    plantResource("lamp", "la2", ["lamp two"], { parent: "plant/hall/h2" }),
    plantResource("host", "nas", ["file server", "backup storage"], { parent: "plant/hall/h2" }),
    plantResource("backup", "bf", ["file server backup"]),
    plantResource("backup", "be", ["ERP backup"]),
    plantResource("cart", "c1", ["cart one"]),
    plantResource("cart", "c2", ["cart two"]),
    plantResource("terminal", "r2", ["card reader two"]),
    plantResource("generator", "gen", ["diesel"]),
  ];

  it.each([
    ["how hot is it in hall one", "t1"],
    ["how hot is it in hall two", "? h2"],
    ["is hall two lit", "h2"],
    ["is the ERP back up done", "be"],
    ["did all the back ups run", ["bf", "be"]],
    ["is card two working", "? c2 r2"],
    ["is card one working", "c1"],
    ["did el one stop again", "? gen"],
    ["is the diesel running", "gen"],
  ])("is asked where little speaks for it: %s", (utterance, expected) => {
    expect(resolved(utterance, NO_TARGETS, Registry.EMPTY.with("plant", site).knownTo(worker))).toEqual(
      expected,
    );
  });

  const line = { parent: "plant/line/l2" };
  const works = [
    plantResource("line", "l2", ["line two", "can line"]),
    plantResource("printer", "lp2", ["can line printer"], line),
    plantResource("printer", "kp", ["keg line printer"]),
    plantResource("capper", "cap", ["can line capping machine", "PT-101"], line),
    plantResource("pump", "p1", ["pump one"]),
    plantResource("pump", "p101", ["P-101", "pump one oh one"]),
    plantResource("store", "cs", ["cold store"]),
    plantResource("store", "wh", ["warehouse", "finished goods store"]),
    plantResource("pasteuriser", "past", ["tunnel pasteuriser", "pasteuriser", "Pasteur"]),
    plantResource("pit", "pit", ["effluent pit"]),
    plantResource("host", "s1", ["server one"]),
    plantResource("service", "boot", ["systemd boot check no failures", "systemd-boot-check-no-failures"]),
    plantResource("service", "web", ["web server on server one"], { parent: "plant/host/s1" }),
  ];

  it.each([
    // What stands in a place was not heard.
    ["is the on line two running", "? l2 lp2 cap"],
    ["is in line two running", "? l2 lp2 cap"],
    ["the line two written", "? l2 lp2 cap"],
    ["are there any faults on line two", "l2"],
    ["is anything wrong with line two", "l2"],
    ["any faults on anything on line two", ["lp2", "cap"]],
    ["the system death on server one", "unknown"],
    ["what can you check here", "none"],
    ["is systemd boot check running", "boot"],
    // More of another name was heard.
    ["the can line capping stopped", "? l2 cap"],
    // Words of the sentence are no words of a name far from them.
    ["can you look at the line printer", "? lp2 kp"],
    // The words that tell one from the other were not heard.
    ["how is the store", "? cs wh"],
    // A number or a letter alone.
    ["is pump one oh running", "unknown"],
    ["is pump one oh one running", "p101"],
    ["how much charge have all the pee esses", "none"],
    // What only sounds a little like a name, or like a part of it.
    ["why is easter so late", "? past"],
    ["can you speak up a bit", "? pit"],
    ["is the pasture riser hot", "past"],
  ])("is not chosen by half of a name: %s", (utterance, expected) => {
    expect(resolved(utterance, NO_TARGETS, Registry.EMPTY.with("plant", works).knownTo(worker))).toEqual(
      expected,
    );
  });

  it("is none that a follow-up only names the place of", () => {
    const spoken = afterResolution(NO_TARGETS, { type: "one", resource: plant[0]!, how: "name" }, 0);
    expect(resolved("and on line three", spoken)).toBe("unknown");
    expect(resolved("and in hall three", spoken)).toBe("p4");
    expect(resolved("and everything in hall two", spoken)).toEqual(["p2", "p3", "l3", "lp3"]);
  });

  it.each([
    ["is everything all right with pump nine", "pump nine"],
    ["how is pump nineteen doing", "pump nineteen"],
    ["is everything fine in hall nine", "hall nine"],
    ["is everything in the canteen okay", "canteen"],
    ["tell me about the printer in hall nine", "printer in hall nine"],
    ["what is the matter with the toaster on line three", "toaster on line three"],
    ["wie geht es der Pumpe neun", "Pumpe neun"],
  ])("%s: only the name is said to be unknown", (utterance, words) => {
    const known = Registry.EMPTY.with("plant", [...plant, plantResource("pump", "p5", ["Pumpe fünf"])]);
    const deps = { known: known.knownTo(worker), grammars, context: NO_TARGETS, nowMs: 0 };
    expect(atOnce(resolveTarget({ utterance, language: "en" }, deps))).toEqual({ type: "unknown", words });
  });

  it.each([
    ["ist der Drucker bereit", "? ep kp"],
    ["ist der Etikettendrucker bereit", "ep"],
    ["ist der Drucker in Halle zwei bereit", "kp"],
    ["läuft Pumpe drei", "unknown"],
    ["läuft die Pumpe zwei", "kwp2"],
    ["ist der bereit", "none"],
  ])("in German by the end of a compound: %s", (utterance, expected) => {
    const german = Registry.EMPTY.with("plant", [
      plantResource("printer", "ep", ["Etikettendrucker"]),
      plantResource("printer", "kp", ["Kartondrucker"], { area: "Halle zwei" }),
      plantResource("pump", "kwp1", ["Kühlwasserpumpe eins"]),
      plantResource("pump", "kwp2", ["Kühlwasserpumpe zwei"]),
      plantResource("part", "zy", ["Zylinder"]),
    ]);
    expect(resolved(utterance, NO_TARGETS, german.knownTo(worker))).toBe(expected);
  });

  it("in Spanish by the beginning of a name", () => {
    const pumps = [plantResource("unit", "bp", ["bomba principal"])];
    const spanish = Registry.EMPTY.with("plant", pumps).knownTo(worker);
    expect(resolved("está en marcha la bomba", NO_TARGETS, spanish)).toBe("bp");
  });

  it("by what was spoken of before", () => {
    const pump = afterResolution(NO_TARGETS, { type: "one", resource: plant[0]!, how: "name" }, 0);
    const press = afterResolution(NO_TARGETS, { type: "one", resource: plant[4]!, how: "name" }, 0);
    expect(resolved("is it running", pump)).toBe("p2");
    expect(resolved("what about three", pump)).toBe("p3");
    expect(resolved("and the other one", press)).toBe("b");
    expect(resolved("is it running")).toBe("none");
  });

  it("not by a last word that only sounds like the last one of a name", () => {
    const units = Registry.EMPTY.with("plant", [plantResource("ro", "ro", ["reverse osmosis unit"])]);
    const ofUnits = units.knownTo(worker);
    expect(resolved("who won the match last night", NO_TARGETS, ofUnits)).toBe("none");
    expect(resolved("is the unit on", NO_TARGETS, ofUnits)).toBe("ro");
  });

  it("on another line, whose number was misheard: that is not online", () => {
    const fillers = ["three", "four"].flatMap((line) => [
      plantResource("line", line, [`line ${line}`]),
      plantResource("filler", `filler ${line}`, [`filler on line ${line}`], { parent: `plant/line/${line}` }),
    ]);
    const ofLines = Registry.EMPTY.with("plant", fillers).knownTo(worker);
    const before = afterResolution(NO_TARGETS, { type: "one", resource: fillers[1]!, how: "name" }, 0);
    expect(resolved("and on line for", before, ofLines)).toBe("filler four");
    expect(resolved("and line for", before, ofLines)).toBe("filler four");
    expect(resolved("same for number for please", before, ofLines)).toBe("filler four");
    expect(resolved("is line for running", before, ofLines)).toBe("four");
  });

  it("by a mark of the caller, and only where the user may know of it", () => {
    const of = (id: string) =>
      atOnce(
        resolveTarget(
          { utterance: "?", mentions: [id], language: "en" },
          { known, grammars, context: NO_TARGETS, nowMs: 0 },
        ),
      );
    expect(of("plant/pump/p2")).toMatchObject({ type: "one", how: "mention" });
    expect(of("plant/pump/p8")).toEqual(of("plant/pump/p99"));
  });
});

describe("what nobody may know of", () => {
  const without = Registry.EMPTY.with(
    "plant",
    plant.filter(({ access }) => access !== secret),
  ).knownTo(worker);

  it.each([
    "is pump eight running",
    "is the dragon feeder on",
    "is everything in the vault okay",
    "are all the pumps on",
    "is the pump on",
    "dragon",
  ])("%s: is as if it were not there", (utterance) => {
    const of = (some: typeof known) =>
      atOnce(
        resolveTarget(
          { utterance, language: "en" },
          { known: some, grammars, context: NO_TARGETS, nowMs: 0 },
        ),
      );
    expect(of(known)).toEqual(of(without));
    const briefing = targetBriefing(resourcesOf(of(known)), known);
    const told = JSON.stringify([of(known), briefing, strictTarget("dragon", known)]);
    const said = utterance.replace(/dragon feeder|dragon|the vault/g, "");
    if (said === utterance) expect(told).not.toMatch(/p8|dragon|vault/);
    expect([...known.names(99)].join(" ")).not.toMatch(/dragon|vault|eight/);
    expect(
      registry.readable(
        plant.map(({ id }) => id),
        worker,
      ),
    ).not.toContain("plant/pump/p8");
  });

  it("is known to a kiosk only where that is granted", () => {
    expect(registry.knownTo({ ...worker, kiosk: true }).all).toEqual([]);
    expect(registry.knownTo({ ...worker, network: "other" }).all).toEqual([]);
  });
});

describe("what a site offers", () => {
  it("can be withdrawn", () => {
    const after = registry.with("plant", plant.slice(1));
    expect(after.knownTo(worker).byId("plant/pump/p2")).toBeUndefined();
  });
});

describe("what a chat has resolved", () => {
  const one = { type: "one", resource: plant[0]!, how: "name" } as const;

  it("counts for 45 minutes, and for the 500 that were used last", () => {
    const context = afterResolution(NO_TARGETS, one, 0);
    expect(spokenOf(context, TARGET_MS_MAX - 1)).toEqual(["plant/pump/p2"]);
    expect(spokenOf(context, TARGET_MS_MAX)).toEqual([]);
    const many = afterUse(
      context,
      Array.from({ length: TARGETS_MAX }, (_, i) => `id ${i}`),
      1,
    );
    expect(many.resolved).toHaveLength(TARGETS_MAX);
    expect(spokenOf(many, 1)).toEqual([]);
  });

  it("is spoken of by turns and not by seconds, and by nothing that was merely read", () => {
    const named = afterResolution(NO_TARGETS, one, 0);
    expect(spokenOf(afterUse(named, ["other"], 1), 600_000)).toEqual(["plant/pump/p2"]);
    const later = { ...named, turn: named.turn + 3 };
    expect(spokenOf(later, 1)).toEqual([]);
  });
});

describe("the way to a resource", () => {
  const spoken = (address: string) => {
    const found = known.all.find((some) => some.address === address)!;
    return afterResolution(NO_TARGETS, { type: "one", resource: found, how: "name" }, 0);
  };
  const at = (address: string) => known.all.find((some) => some.address === address)!;

  it("is refused to a parent and to a sibling of what was spoken of", () => {
    expect(routingFault(at("delly"), known, spoken("home"), 0)).toMatchObject({
      code: "ROUTING_MISMATCH",
      kinds: { targetKind: at("delly").kind, childKind: at("home").kind },
      details: {
        more_specific_resources: ["homepage-docker"],
        recovery_hint: expect.stringContaining("home"),
      },
    });
    expect(routingFault(at("p3"), known, spoken("p2"), 0)?.details).toMatchObject({
      sibling_resources: ["pump two"],
    });
    expect(routingFault(at("home"), known, spoken("home"), 0)).toBeUndefined();
    expect(routingFault(at("lp3"), known, spoken("home"), 0)).toBeUndefined();
    const moved = { ...spoken("home"), turn: 3 };
    expect(routingFault(at("delly"), known, moved, 0)).toBeUndefined();
  });

  it("is found by a name that is just so, and suggested otherwise", () => {
    expect(strictTarget("PUMP 2", known)).toEqual({ resource: at("p2") });
    expect(strictTarget("pump nine", known)).toMatchObject({ fault: { code: "STRICT_RESOLUTION" } });
  });

  it("is told to a model with the chain", () => {
    const briefing = targetBriefing([at("home")], known);
    expect(briefing).toContain('"media server", "delly"');
    // Mount paths, the longest prefix first.
    expect(briefing).toMatch(
      /inside "\/config\/keys", on its parent "\/srv\/keys"\n.*inside "\/config", on its parent "\/opt\/home"/,
    );
  });
});

it("names are taken apart once, also where a question was given up in the middle of it", () => {
  const site = Array.from({ length: 100 }, (_, n) => plantResource("pump", `q${n}`, [`mixing pump ${n}`]));
  const many = Registry.EMPTY.with("plant", site).knownTo(worker);
  const begun = NameIndex.of(many);
  for (let steps = 0; steps < 10; steps++) begun.next();
  let left = 0;
  for (const goesOn = NameIndex.of(many); goesOn.next().done !== true; ) left += 1;
  expect(left).toBeLessThan(10);
  expect(atOnce(NameIndex.of(many)).named.map(({ resource }) => resource)).toEqual(many.all);
});
