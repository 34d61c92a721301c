/**
 * What newcomers say first, and what is said in danger: first halves of lists in six languages that were written before
 * the rules; the other halves are run by nobody who works on the rules. Of the emergencies both halves are here, since
 * the words were widened with both in sight: they hold what is reached, and measure nothing unseen. The floors are what
 * the rules reached when they were written, less one row.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { NOTHING_OPEN } from "../../src/domain/dialogue.js";
import { loadPrompts } from "../../src/llm/prompts.js";
import { emergencyIn } from "../../src/locale/emergency.js";
import { loadClassifier } from "../../src/routing/classifier.js";
import { isHeldOut, parseLabelled } from "../../src/routing/labelled-data.js";
import { utterance } from "../../src/routing/normalized-message.js";
import { routingOptions } from "../../src/routing/options.js";
import { mayReport } from "../../src/routing/report.js";
import { Router } from "../../src/routing/router.js";
import { chooseCapability } from "../../src/turn/route.js";
import { capabilities } from "../support/capabilities.js";
import { RecordedEvents } from "../support/events.js";
import { english, locales } from "../support/locales.js";
import { VirtualClock } from "../support/virtual-clock.js";

interface Row {
  readonly text: string;
  readonly language: string;
  readonly emergency?: boolean;
  readonly kind?: string;
  readonly intent?: string;
}

function rows(name: string, half: "a" | "b" | "c" = "a"): readonly Row[] {
  const path = fileURLToPath(new URL(`newcomer-${name}-${half}.jsonl`, import.meta.url));
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

const share = (part: readonly Row[], all: readonly Row[]) => part.length / all.length;
const isEmergency = ({ text }: Row) => emergencyIn(text) !== undefined;

it("hears an emergency, in its language, and none in a question about one", () => {
  const all = [...rows("emergencies", "a"), ...rows("emergencies", "b")];
  const told = all.filter(({ emergency }) => emergency);
  const asked = all.filter(({ emergency }) => !emergency);
  expect(share(told.filter(isEmergency), told)).toBeGreaterThanOrEqual(0.99);
  expect(share(asked.filter(isEmergency), asked)).toBeLessThanOrEqual(0.01);
  const heard = told.filter(isEmergency);
  expect(heard.filter(({ language, text }) => emergencyIn(text)?.language !== language)).toEqual([]);
});

it("hears a report in each emergency that its words do not tell, and in few questions", () => {
  const told = (["a", "b", "c"] as const)
    .flatMap((half) => rows("emergencies", half))
    .filter(({ emergency }) => emergency);
  const isHeard = (row: Row) => isEmergency(row) || mayReport(row.text);
  expect(share(told.filter(isHeard), told)).toBeGreaterThanOrEqual(0.99);
  const unaided = told.filter((row) => !isEmergency(row));
  expect(share(unaided.filter(isHeard), unaided)).toBeGreaterThanOrEqual(0.97);
  const procedures = (["a", "b", "c"] as const)
    .flatMap((half) => rows("emergencies", half))
    .filter(({ kind }) => kind === "procedure");
  const asked = [...procedures, ...rows("orders"), ...ordinaryQuestions()].filter(
    ({ emergency }) => !emergency,
  );
  expect(
    share(
      asked.filter(({ text }) => mayReport(text)),
      asked,
    ),
  ).toBeLessThanOrEqual(0.05);
});

/** What the documents are asked: the golden questions, and the labelled ones that nothing was trained on. */
function ordinaryQuestions(): readonly Row[] {
  const read = (path: string) =>
    readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
  const golden = read("examples/golden.jsonl")
    .trim()
    .split("\n")
    .flatMap((line): readonly Row[] => {
      const { question } = JSON.parse(line) as { question?: string };
      return question === undefined ? [] : [{ text: question, language: "en" }];
    });
  const labelled = parseLabelled(read("bench/data/routes/labelled.jsonl"), "labelled")
    .filter(({ route, text }) => ["knowledge", "check"].includes(route) && isHeldOut(text))
    .map(({ text }) => ({ text, language: "" }));
  return [...golden, ...labelled];
}

it("takes no order, no question and no small talk for an emergency, but for a bare call for help", () => {
  const others = [...rows("orders"), ...rows("first-words")].filter(isEmergency);
  expect(others.map(({ text }) => text)).toEqual(["help"]);
});

it("asks the documents whatever is a question, however much it sounds like an order, and an order too", async () => {
  const all = capabilities(
    (name) =>
      async function* () {
        yield { type: "phrase", text: name };
      },
  );
  const { routes, confidence_min: confidenceMin, ask_below: askBelow } = routingOptions.parse({});
  const telemetry = new RecordedEvents();
  const deps = {
    clock: new VirtualClock(),
    telemetry,
    prompts: await loadPrompts(),
    classifier: await loadClassifier(),
  };
  const router = new Router({ routes, confidenceMin, askBelow }, deps);
  const user = { network: "plant", username: "ann" };
  const { signal } = new AbortController();
  const notSearched: string[] = [];
  for (const { intent, text } of rows("orders")) {
    if (intent === "live_value") continue;
    const request = { id: "turn", user, text, responseType: "text", features: [], groups: [] } as const;
    const { capability } = await chooseCapability(
      request,
      { ...NOTHING_OPEN, access: { ...user, groups: [], kiosk: false }, locale: english },
      { router, capabilities: all, locales, telemetry },
      signal,
    );
    if (capability !== all.knowledge) notSearched.push(text);
  }
  expect(notSearched).toEqual([]);
});

it("tells first words from questions that begin like them", () => {
  const all = rows("first-words");
  const isFirst = ({ text }: Row) => utterance(text).command?.intent === "introduce";
  const introduced = all.filter(({ kind }) => ["who", "can", "test", "hear"].includes(kind ?? ""));
  const others = all.filter((row) => !introduced.includes(row));
  expect(share(introduced.filter(isFirst), introduced)).toBeGreaterThanOrEqual(0.95);
  expect(others.filter(isFirst)).toEqual([]);
});
