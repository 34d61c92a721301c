/** Claims of a model that has read nothing: the table of Pulse, with no list of phrases. The gate says none of them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { DraftEvent } from "../../src/capability/draft.js";
import type { ToolReading } from "../../src/grounding/readings/facts.js";
import { passage } from "../support/fake-retrieval.js";
import { gatedAnswer } from "../support/gated.js";
import { expectTable } from "../support/table-rows.js";

interface Claim {
  readonly text: string;
  readonly phantom: boolean;
}

const table = JSON.parse(readFileSync(new URL("pulse_phantom_cases.json", import.meta.url), "utf8")) as {
  readonly phantom: readonly Claim[];
  readonly field_reports: readonly Claim[];
  readonly stems: Readonly<Record<string, readonly string[]>>;
};

/** What is told of a draft after these readings. */
async function toldOf(text: string, tools?: readonly ToolReading[]): Promise<string> {
  const draft = async function* (): AsyncGenerator<DraftEvent> {
    if (tools !== undefined) yield { type: "readings", tools };
    yield { type: "text", text };
    yield { type: "end", searched: "not_needed", degraded: false };
  };
  return (await gatedAnswer(draft, { question: "Is the pump running?" })).text;
}

const UNRELATED: readonly ToolReading[] = [
  { tool: "plant.status", result: { service: "nginx", active: true, running: true }, ageMs: 10 },
  { tool: "plant.load", result: { containers: [{ name: "web", status: "running" }], load: 0.4 }, ageMs: 10 },
];

const SAID_OF_WHAT_WAS_NOT_READ = [
  ...table.phantom.filter(({ phantom, text }) => phantom && text !== "").map(({ text }) => text),
  ...table.field_reports.filter(({ phantom }) => phantom).map(({ text }) => text),
  // Every stem of the list as a sentence: what it would have caught is held back too.
  ...Object.values(table.stems)
    .flat()
    .map((stem) => `${stem} ok at 5 %.`),
  "I have restarted the pump.",
  "Done! I've restarted it.",
  "All good.",
  "Pump two is running.",
];

it("holds the table", async () => {
  const rows = [...table.phantom, ...table.field_reports];
  const told = await Promise.all(rows.map(({ text }) => toldOf(text)));
  const better =
    "what no source says is not said, whether it claims something of the site or only teaches or advises";
  const held = rows.map(({ phantom, text }, at) => ({
    id: text,
    holds: text === "" || (told[at]!.includes(text) ? !phantom : phantom),
  }));
  expectTable("pulse_phantom_cases", held, {
    "You should check the logs": better,
    "Docker containers run in isolated environments": better,
    "I checked the documentation and found...": better,
    "I looked at the configuration options": better,
    "I found that Docker networking is complex": better,
    "Yesterday you told me the pump was restarted.":
      "what the user is said to have said is held against what the user said in this turn",
  });
});

describe("a claim of what was not read is not said", () => {
  it.each(SAID_OF_WHAT_WAS_NOT_READ)("%s", async (text) => {
    for (const tools of [undefined, [], UNRELATED]) expect(await toldOf(text, tools)).not.toContain(text);
  });
});

/** With what they answer. */
const SAID_BY_A_DOCUMENT: readonly (readonly [text: string, question: string])[] = [
  ["The service was successfully restarted", "Restart the service."],
  ["The file has been deleted from the codebase as requested.", "Delete the file."],
  ["I have restarted the pump.", "Is the pump running?"],
  ...table.stems.action_claim!.map(
    (stem) => [`${stem[0]!.toUpperCase()}${stem.slice(1)} pump.`, "Stop the pump."] as const,
  ),
];

describe("a claim of an action is not said, though a document has it word for word", () => {
  it.each(SAID_BY_A_DOCUMENT)("%s", async (text, question) => {
    const draft = async function* (): AsyncGenerator<DraftEvent> {
      yield { type: "passages", passages: [passage("log", `${text} The pump may run at 6 bar.`)] };
      yield { type: "text", text };
      yield { type: "end", searched: "found", degraded: false };
    };
    expect((await gatedAnswer(draft, { question })).text).not.toContain(text);
  });
});
