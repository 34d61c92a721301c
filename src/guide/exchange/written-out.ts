/** Guides for people: Markdown, and one HTML page that prints. */
import { html, Markup } from "../../lib/markup.js";
import type { Guide } from "../schema/guide.js";
import { type SheetFact, type SheetStep, sheetOf } from "./sheet.js";

/** The guide as Markdown; nothing in its texts is taken for markup. */
export function guideMarkdown(guide: Guide): string {
  const { description, facts, intake, name, steps } = sheetOf(guide);
  const list = (of: readonly SheetFact[]) => of.map(([label, value]) => `- ${plain(label)}: ${plain(value)}`);
  const blocks = [
    [`# ${plain(name)}`],
    description === undefined ? [] : [plain(description)],
    list(facts),
    intake.length === 0 ? [] : ["## Before you begin", "", ...list(intake)],
    ...steps.map((step) => markdownOf(step, list)),
  ];
  const written = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${written.join("\n\n")}\n`;
}

function markdownOf(
  step: SheetStep,
  list: (of: readonly SheetFact[]) => readonly string[],
): readonly string[] {
  const { commands, facts, heading, number, text, warning } = step;
  const blocks = [
    [number === undefined ? `## ${plain(heading)}` : `### ${number}. ${plain(heading)}`],
    warning === undefined ? [] : [`> **Warning:** ${plain(warning)}`],
    text === undefined ? [] : [plain(text)],
    ...commands.map((code) => code.split("\n").map((line) => `    ${line}`)),
    list(facts),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .flatMap((lines, at) => (at === 0 ? lines : ["", ...lines]));
}

/** On one line, with every sign that would be markup taken as it stands. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>#|~]/g, (sign) => `\\${sign}`);
}

const STYLE = new Markup(`<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #111; }
h2 { border-bottom: 2px solid #111; margin-top: 2rem; }
.step { border-top: 1px solid #bbb; padding: .6rem 0; break-inside: avoid; }
.step h3 { margin: 0 0 .3rem; }
.done { float: right; width: 1.4rem; height: 1.4rem; border: 2px solid #111; }
.warning { border: 2px solid #b00020; padding: .3rem .6rem; font-weight: 600; }
pre { background: #f3f3f3; padding: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: .4rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { border-top: 1px solid #bbb; padding: .2rem .6rem .2rem 0; text-align: left; vertical-align: top; }
td { overflow-wrap: break-word; } td:first-child { white-space: nowrap; font-variant-numeric: tabular-nums; }
tr { break-inside: avoid; } .odd td { font-weight: 600; } .odd td:nth-child(3) { color: #b00020; }
dt { color: #555; } dd { margin: 0; overflow-wrap: anywhere; }
@media print { body { margin: 0; max-width: none; font-size: 11pt; } }
</style>`);

/** The guide as one HTML page without anything from elsewhere: to be looked at, and to be printed and ticked off. */
export function guideHtml(guide: Guide): string {
  const { description, facts, intake, name, steps } = sheetOf(guide);
  return guidePage(
    guide.language,
    name,
    html`${description === undefined ? undefined : html`<p>${description}</p>`}
${listOf(facts)}
${intake.length === 0 ? undefined : html`<h2>Before you begin</h2>${listOf(intake)}`}
${steps.map(stepHtml)}`,
  );
}

/** A page of its own, with its style and under its name. */
export function guidePage(language: string, name: string, body: Markup): string {
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${name}</title>
${STYLE}</head>
<body>
<h1>${name}</h1>
${body}
</body>
</html>
`.text;
}

function stepHtml({ commands, facts, heading, number, text, warning }: SheetStep): Markup {
  if (number === undefined)
    return html`<h2>${heading}</h2>${text === undefined ? undefined : html`<p>${text}</p>`}\n`;
  return html`<div class="step"><span class="done"></span><h3>${number}. ${heading}</h3>
${warning === undefined ? undefined : html`<p class="warning">Warning: ${warning}</p>`}
${text === undefined ? undefined : html`<p>${text}</p>`}
${commands.map((code) => html`<pre>${code}</pre>`)}
${listOf(facts)}</div>
`;
}

/** Facts as a list of terms. */
export function listOf(facts: readonly SheetFact[]): Markup | undefined {
  if (facts.length === 0) return undefined;
  return html`<dl>${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}
