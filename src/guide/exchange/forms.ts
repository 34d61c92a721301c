/** The forms that a guide can be written out in. */
import type { Guide } from "../schema/guide.js";
import { guideFile } from "../schema/read-guide.js";
import { exportEnvelope, exportProcedure, exportTree } from "./export-flow.js";
import { guideHtml, guideMarkdown } from "./written-out.js";

const JSON_FORMS = {
  procedural: exportProcedure,
  troubleshooting: exportTree,
  rfflow: exportEnvelope,
  guide: guideFile,
} as const;
const TEXT_FORMS = { markdown: guideMarkdown, html: guideHtml } as const;

export const GUIDE_FORMS = [
  ...(["markdown", "html", "procedural", "troubleshooting", "rfflow", "guide"] as const),
];
export type GuideForm = (typeof GUIDE_FORMS)[number];

/** The guide in a form, and what that is: `json`, `markdown` or `html`. Throws `GuideProblem` where it has no such form. */
export function exportedGuide(guide: Guide, form: GuideForm) {
  if (form === "markdown" || form === "html") return { text: TEXT_FORMS[form](guide), type: form };
  return { text: `${JSON.stringify(JSON_FORMS[form](guide), undefined, 2)}\n`, type: "json" };
}
