import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultsOf } from "../../test/support/default-options.js";
import { systemClock } from "../lib/clock.js";
import { loadPrompts } from "../llm/prompts.js";
import { CASES } from "./cases.test-util.js";
import {
  CLASSIFIER_FILE,
  ClassifierUnusable,
  loadClassifier,
  parseModel,
  printModel,
  RouteClassifier,
  textHash,
} from "./classifier.js";
import { compareRouted, needsModel, type RoutedRow, routeAll, share } from "./evaluate.js";
import { isHeldOut, type LabelledUtterance, parseLabelled, teachable } from "./labelled-data.js";
import { routingOptions } from "./options.js";
import { Router } from "./router.js";
import { trainClassifier } from "./train.js";

const LABELLED = new URL("../../bench/data/routes/labelled.jsonl", import.meta.url);
const rows = parseLabelled(readFileSync(LABELLED, "utf8"), "labelled.jsonl");
const heldOut = rows.filter(({ text }) => isHeldOut(text));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "readback-"));
});
afterAll(() => rm(folder, { recursive: true }));

const few: readonly LabelledUtterance[] = Object.entries(CASES).flatMap(([route, texts]) =>
  texts.slice(0, 12).map((text) => ({ text, route })),
);

describe("the labelled data", () => {
  it("is enough, each utterance once, and holds none of the cases that tests ask", () => {
    expect(rows.length).toBeGreaterThanOrEqual(600);
    expect(heldOut.length).toBeGreaterThanOrEqual(300);
    const hashes = rows.map(({ text }) => textHash(text));
    const twice = rows.filter((_, i) => hashes.indexOf(hashes[i]!) !== i).map(({ text }) => text);
    expect(twice).toEqual([]);
  });

  it("holds out by the words alone, however they are written", () => {
    for (const { text } of rows.slice(0, 200))
      expect(isHeldOut(` ${text.toUpperCase()}?!`), text).toBe(isHeldOut(text));
  });

  it("is refused with the line that is wrong", () => {
    const good = '{"text": "open valve 3", "route": "operate"}';
    expect(parseLabelled(`${good}\n\n${good}\n`, "a.jsonl")).toHaveLength(2);
    for (const bad of ["{", "[]", '{"text": "", "route": "x"}', '{"text": "x"}', '{"text": 1, "route": "x"}'])
      expect(() => parseLabelled(`${good}\n${bad}`, "a.jsonl"), bad).toThrow(/^a\.jsonl:2.*expected \{/);
  });

  it("teaches what people, callers, rules and the model said; the last word on an utterance counts", () => {
    const said = (text: string, route: string, layer?: LabelledUtterance["layer"]) => ({
      text,
      route,
      layer,
    });
    expect(
      teachable([
        said("a b", "check"),
        said("c", "check", "classifier"),
        said("d", "check", "default"),
        said("e", "guide", "model"),
        said("A, b!", "operate", "declared"),
      ]).map(({ text, route }) => [text, route]),
    ).toEqual([
      ["A, b!", "operate"],
      ["e", "guide"],
    ]);
  });
});

describe("the shipped classifier", () => {
  it("was trained on what is not held out, and on nothing else", async () => {
    const { model } = await loadClassifier();
    const expected = rows.filter(({ text }) => !isHeldOut(text)).map(({ text }) => textHash(text));
    expect([...model.trainedOn]).toEqual(expected.sort((a, b) => a - b));
  });

  it("decides nearly all that is held out without a model, and most of it right", async () => {
    const options = defaultsOf(routingOptions);
    const deps = { clock: systemClock, telemetry: { emit: () => undefined }, prompts: await loadPrompts() };
    const router = new Router(options, { ...deps, classifier: await loadClassifier() });
    const routed = await routeAll(heldOut, router, new AbortController().signal);
    expect(share(routed, (row) => needsModel(row, options.confidenceMin))).toBeLessThan(0.02);
    expect(share(routed, ({ right }) => right)).toBeGreaterThan(0.85);
    // Confidence means what it says, within what 500 utterances can show.
    const mean = routed.reduce((sum, { confidence }) => sum + confidence, 0) / routed.length;
    expect(Math.abs(mean - share(routed, ({ right }) => right))).toBeLessThan(0.05);
  });
});

describe("training", () => {
  it("gives the same model for the same rows in any order, and a file gives it back", () => {
    const [one, other] = [few, few.toReversed()].map((some) => printModel(trainClassifier(some)));
    expect(one).toBe(other);
    const read = new RouteClassifier(parseModel(one!));
    expect(printModel(read.model)).toBe(one);
    const right = few.filter(({ text, route }) => read.guesses(text.toLowerCase())[0]!.route === route);
    expect(right.length / few.length).toBeGreaterThan(0.9);
    expect(few.every(({ text }) => read.knows(text))).toBe(true);
    expect(read.knows("something else")).toBe(false);
  });

  it("says when there is too little", () => {
    expect(() => trainClassifier([])).toThrow(/at least two routes/);
    expect(() => trainClassifier(few.filter(({ route }) => route === "check"))).toThrow(
      /at least two routes/,
    );
    expect(() => trainClassifier([...few, { text: "fly", route: "fly" }])).toThrow(
      /only 1 utterances of fly/,
    );
  });
});

describe("a classifier's file", () => {
  const shipped = readFileSync(CLASSIFIER_FILE, "utf8");
  const changed = (change: object) => JSON.stringify({ ...JSON.parse(shipped), ...change });

  it.each([
    ["text", "Dear all,"],
    ["an empty file", ""],
    ["another format", changed({ format: "readback-routes-9" })],
    ["other features", changed({ features: 99 })],
    ["too few weights", changed({ weights: "AAAA" })],
    ["weights that are no base64", changed({ weights: "?" })],
    ["a route twice", changed({ routes: ["a", "a", "b", "c", "d", "e"] })],
    ["too little bias", changed({ bias: [0] })],
    ["no temperature", changed({ temperature: 0 })],
  ])("is refused when it is %s, with what to do", async (_what, content) => {
    const path = join(folder, "model.json");
    writeFileSync(path, content);
    const loading = loadClassifier(path);
    await expect(loading).rejects.toBeInstanceOf(ClassifierUnusable);
    await expect(loading).rejects.toThrow(/model\.json is no classifier.*Train one/s);
  });

  it("is refused when it is not there", async () => {
    await expect(loadClassifier(join(folder, "none.json"))).rejects.toBeInstanceOf(ClassifierUnusable);
  });
});

describe("a comparison", () => {
  const routed = (rights: readonly boolean[]): readonly RoutedRow[] =>
    rights.map((right, i) => ({
      row: { text: `t${i}`, route: i % 2 ? "check" : "guide" },
      route: right ? (i % 2 ? "check" : "guide") : "operate",
      layer: "classifier",
      confidence: right ? 0.9 : 0.2,
      right,
    }));
  const rights = (wrong: number) => Array.from({ length: 100 }, (_, i) => i >= wrong);

  it.each([
    [50, 10, "better"],
    [10, 10, "not_shown"],
    [11, 10, "not_shown"],
    [10, 11, "worse"],
    [10, 50, "worse"],
  ])("of %i wrong with %i wrong: %s", (a, b, verdict) => {
    const comparison = compareRouted(routed(rights(a)), routed(rights(b)), 0.4);
    expect(comparison).toMatchObject({ verdict, accuracy: [1 - a / 100, 1 - b / 100], rows: 100 });
    expect(comparison.needModel).toEqual([a / 100, b / 100]);
    expect(comparison.byRoute.map(({ route, rows }) => [route, rows])).toEqual([
      ["check", 50],
      ["guide", 50],
    ]);
    expect(comparison.agreement).toBeCloseTo(1 - Math.abs(a - b) / 100);
  });
});
