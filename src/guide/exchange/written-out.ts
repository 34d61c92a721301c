/** The forms that a guide is written out in: JSON for programs, Markdown and one HTML page that prints for people. */
import { html, Markup } from "../../lib/markup.js";
import type { Guide } from "../schema/guide.js";
import { guideFile } from "../schema/read-guide.js";
import { exportEnvelope, exportProcedure, exportTree } from "./export-flow.js";
import { type Paper, type SheetFact, sheetOf } from "./sheet.js";

export const GUIDE_FORMS = [
  ...(["markdown", "html", "procedural", "troubleshooting", "rfflow", "guide"] as const),
];
export type GuideForm = (typeof GUIDE_FORMS)[number];

const TEXT_FORMS = { markdown: guideMarkdown, html: guideHtml } as const;
const JSON_FORMS = {
  ...{ procedural: exportProcedure, troubleshooting: exportTree },
  ...{ rfflow: exportEnvelope, guide: guideFile },
} as const;

/** The guide in a form, and what that is: `json`, `markdown` or `html`. Throws `GuideProblem` where it has no such form. */
export function exportedGuide(guide: Guide, form: GuideForm) {
  if (form === "markdown" || form === "html") return { text: TEXT_FORMS[form](guide), type: form };
  return { text: `${JSON.stringify(JSON_FORMS[form](guide), undefined, 2)}\n`, type: "json" };
}

/** The guide as Markdown; nothing in its texts is taken for markup. */
export function guideMarkdown(guide: Guide): string {
  return `${[`# ${plain(guide.name)}`, ...sheetOf(guide, MARKDOWN)].join("\n\n")}\n`;
}

const MARKDOWN: Paper<string> = {
  section: (text) => `## ${plain(text)}`,
  step: (text, parts) => [`### ${plain(text)}`, ...parts].join("\n\n"),
  warning: (text) => `> **Warning:** ${plain(text)}`,
  text: (text) => plain(text),
  code: (text) => text.replace(/^/gm, "    "),
  facts: (facts) => facts.map(([label, value]) => `- ${plain(label)}: ${plain(value)}`).join("\n"),
};

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
  return guidePage(guide.language, guide.name, html`${sheetOf(guide, HTML)}`);
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

const HTML: Paper<Markup> = {
  section: (text) => html`<h2>${text}</h2>\n`,
  step: (text, parts) => html`<div class="step"><span class="done"></span><h3>${text}</h3>\n${parts}</div>\n`,
  warning: (text) => html`<p class="warning">Warning: ${text}</p>\n`,
  text: (text) => html`<p>${text}</p>\n`,
  code: (text) => html`<pre>${text}</pre>\n`,
  facts: (facts) => listOf(facts),
};

/** Facts as a list of terms. */
export function listOf(facts: readonly SheetFact[]): Markup {
  return html`<dl>${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>\n`;
}
