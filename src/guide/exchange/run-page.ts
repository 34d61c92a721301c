/** The record of a run for people: one HTML page that prints. */
import { html, type Markup } from "../../lib/markup.js";
import { ENTRY_NAMES, FAILURES, type GuideRun, type RunEntry } from "../run/run.js";
import { measureOf } from "../schema/graph.js";
import type { Guide, IntakeField } from "../schema/guide.js";
import { type SheetFact, stepNumbers } from "./sheet.js";
import { guidePage, listOf } from "./written-out.js";

const STATUS: Readonly<Record<GuideRun["status"], string>> = {
  running: "under way",
  paused: "paused",
  done: "finished",
  quit: "ended early",
};

/** The page. `guide` is the version that the run began with; `facts` stand with who and when, such as its signature. */
export function runHtml(guide: Guide, run: GuideRun, facts: readonly SheetFact[] = []): string {
  const [first, last] = [run.log[0], run.log.at(-1)];
  const people = [...new Set(run.log.map(({ by }) => by))];
  const head: readonly SheetFact[] = [
    ["Guide", `${guide.id}, version ${run.version}`],
    ["Worker", run.user],
    ["Others", people.filter((name) => name !== run.user).join(", ") || "nobody"],
    ["Began", first === undefined ? "" : timeOf(first.atMs)],
    ["Last entry", last === undefined ? "" : timeOf(last.atMs)],
    ["State", STATUS[run.status]],
    ...facts,
  ];
  const values = Object.entries(run.values).map(([name, value]): SheetFact => {
    const { label, unit } = variableOf(guide, name);
    return [label, unit === undefined ? `${value}` : `${value} ${unit}`];
  });
  const numbers = stepNumbers(guide);
  return guidePage(
    guide.language,
    `Record of ${guide.name}`,
    html`${listOf(head)}
${values.length === 0 ? undefined : html`<h2>Values</h2>${listOf(values)}`}
<h2>What was done</h2>
<table><thead><tr><th>Time (UTC)</th><th>Where</th><th>What</th><th>Said, read or chosen</th><th>By</th></tr></thead>
<tbody>${run.log.filter(({ what }) => what !== "arrived").map((entry) => rowOf(guide, numbers, entry))}</tbody></table>`,
  );
}

function rowOf(guide: Guide, numbers: ReadonlyMap<string, number>, entry: RunEntry): Markup {
  const { at, atMs, by, text, what } = entry;
  const step = guide.steps.find(({ id }) => id === at);
  const number = numbers.get(at);
  const name = step?.title ?? step?.text ?? variableOf(guide, at).label;
  const place = number === undefined ? name : `${number}. ${name}`;
  // What needs somebody's attention.
  const mark = FAILURES.has(what) || what === "help" ? html` class="odd"` : undefined;
  return html`<tr${mark}><td>${timeOf(atMs)}</td><td>${place}</td><td>${ENTRY_NAMES[what]}</td><td>${text}</td><td>${by}</td></tr>
`;
}

/** What a variable is called, and its unit: those of its field, or of the step that records it. */
function variableOf({ intake, steps }: Guide, name: string): Pick<IntakeField, "label" | "unit"> {
  const step = steps.find((one) => one.kind === "record" && one.variable === name);
  const recorded = { label: step?.title ?? name, unit: step && measureOf(step)?.unit };
  return intake.find((one) => one.name === name) ?? recorded;
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
}
