/** A guide from a file: what the service makes of it is shown before anything is kept. */
import { type Desk, reasonOf } from "./desk.js";
import { el, openDialog } from "./dom.js";
import { type Finding, type Guide, nameOf } from "./guide.js";
import { say } from "./strings.js";

interface Checked {
  readonly steps: number;
  readonly findings: readonly Finding[];
  /** The guide as it would be kept. */
  readonly file: Guide;
}

/** Files that are dropped anywhere on this part, or chosen. */
export function takeFiles(part: HTMLElement, chooser: HTMLInputElement, onFile: (file: File) => void): void {
  chooser.addEventListener("change", () => {
    const file = chooser.files?.[0];
    chooser.value = "";
    if (file !== undefined) onFile(file);
  });
  for (const type of ["dragover", "drop"]) part.addEventListener(type, (event) => event.preventDefault());
  part.addEventListener("drop", ({ dataTransfer }) => {
    const file = dataTransfer?.files[0];
    if (file !== undefined) onFile(file);
  });
}

/** `onKept`: with the id of the guide that was brought in. */
export async function previewFile(file: File, desk: Desk, onKept: (guide: string) => void): Promise<void> {
  await desk.attempt(async () => {
    const sent = { guide: await file.text(), file: file.name };
    const checked = await desk.service.post<Checked>("guides/check", sent);
    desk.tell("");
    preview(sent, checked, desk, onKept);
  });
}

function preview(sent: object, { file, findings, steps }: Checked, desk: Desk, onKept: (id: string) => void) {
  const told = el("p", { className: "told", role: "alert" });
  const replace = el("input", { type: "checkbox" });
  const keep = el("button", { className: "primary", type: "submit", textContent: say("bring_in") });
  const form = el(
    "form",
    { className: "fields" },
    el("label", { className: "row" }, replace, say("replace")),
    told,
    el("p", {}, keep),
  );
  const wrong = findings.map(({ problem, remedy, step }) =>
    el("li", { textContent: [step, `${problem}; ${remedy}`].filter(Boolean).join(": ") }),
  );
  const dialog = openDialog(
    say("import_preview"),
    say("close"),
    el("p", {}, el("b", { textContent: file.name }), ` · ${say("steps_count", { count: steps })}`),
    el("ol", { className: "plain" }, ...file.steps.map((step) => el("li", { textContent: nameOf(step) }))),
    el("h3", { textContent: say("findings") }),
    el("ul", {}, ...(wrong.length > 0 ? wrong : [el("li", { textContent: say("nothing_to_correct") })])),
    form,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const kept = await desk.service.post<Guide>("guides", { ...sent, replace: replace.checked });
      dialog.close();
      onKept(kept.id);
    } catch (error) {
      told.textContent = reasonOf(error);
    }
  });
}
