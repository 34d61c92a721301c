/** A step by hand: its words, where it leads, its answers. What the service says against it stands beside the form. */
import type { Desk } from "./desk.js";
import { button, choices, el, labelled, openDialog } from "./dom.js";
import { addedBehind, changedFields, freeId } from "./edits.js";
import { type GuideOption, nameOf, type Patch, type Step } from "./guide.js";
import { say } from "./strings.js";

/** What people write of any step, and of those of a kind. */
const WORDS = ["title", "text", "warning", "expected_outcome", "verification_prompt", "help_text"];
const OF_KIND: Readonly<Record<string, readonly string[]>> = {
  record: ["variable", "unit", "min", "max"],
  hold_point: ["group"],
};
const SHORT: readonly string[] = ["title", "variable", "unit", "min", "max", "group"];
const NUMBERS: readonly string[] = ["min", "max"];
const ENDS: readonly string[] = ["solution", "end"];
/** Kinds that a person adds here; what reads or operates a site is written into the file. */
const KINDS = ["instruct", "question", "record", "hold_point", "section", "solution", "end"];

/** Changes a step. */
export function editStep(desk: Desk, step: Step): void {
  const form = new StepForm(desk, step, step.kind);
  form.open(`${say("edit")}: ${nameOf(step)}`, form.element, (fields) => {
    const changed = changedFields(step, fields);
    return changed === undefined ? [] : [{ op: "modify", id: step.id, fields: changed }];
  });
}

/** Adds a step behind another one. */
export function addStep(desk: Desk, behind: Step): void {
  const kind = choices(KINDS.map((one) => [one, say(`kind_${one}`)]));
  const part = el("div", { className: "fields" });
  let form = new StepForm(desk, { id: "", kind: "instruct" }, "instruct");
  const fill = () => {
    form = new StepForm(desk, { id: "", kind: kind.value, ...form.fields() }, kind.value);
    part.replaceChildren(form.element);
  };
  kind.addEventListener("change", fill);
  fill();
  const whole = el("div", { className: "fields" }, labelled(say("kind"), kind), part);
  form.open(say("add_behind"), whole, () => {
    const guide = desk.session!.guide;
    const fields = Object.fromEntries(Object.entries(form.fields()).filter(([, value]) => value != null));
    const taken = new Set(guide.steps.map(({ id }) => id));
    const id = freeId(String(fields.title ?? fields.text ?? kind.value), taken);
    return addedBehind(guide, behind.id, { ...fields, id, kind: kind.value });
  });
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

class StepForm {
  readonly element = el("div", { className: "fields" });
  readonly #fields = new Map<string, Field>();
  readonly #answers: HTMLElement | undefined;

  constructor(
    private readonly desk: Desk,
    private readonly step: Step,
    kind: string,
  ) {
    for (const name of [...WORDS, ...(OF_KIND[kind] ?? [])]) {
      const value = String(step[name] ?? "");
      this.#add(
        name,
        SHORT.includes(name)
          ? el("input", { value })
          : el("textarea", { value, rows: name === "text" ? 3 : 2 }),
      );
    }
    if (ENDS.includes(kind)) return;
    if (kind === "question") this.#answers = this.#answersOf(step.options ?? []);
    else this.#add("next", this.#stepChoice(step.next));
    this.#add("otherwise", this.#stepChoice(step.otherwise));
  }

  /** As a guide's file has them; null: empty. */
  fields(): Readonly<Record<string, unknown>> {
    const written = [...this.#fields].map(([name, { value }]) => {
      const text = value.trim();
      return [
        name,
        text === "" ? null : NUMBERS.includes(name) && !Number.isNaN(Number(text)) ? Number(text) : text,
      ];
    });
    const answers = this.#answers && { options: this.#options(this.#answers) };
    return { ...Object.fromEntries(written), ...answers };
  }

  /** Asks for the patches when the form is sent; the version that counts is the one that is seen now. */
  open(
    title: string,
    content: HTMLElement,
    patchesOf: (fields: Readonly<Record<string, unknown>>) => readonly Patch[],
  ): void {
    const { desk, step } = this;
    let seen = desk.session!.version;
    const findings = desk.session!.findings.filter((one) => one.step === step.id && step.id !== "");
    const told = el("p", { className: "told", role: "alert" });
    told.textContent = findings.map(({ problem, remedy }) => `${problem}; ${remedy}`).join("\n");
    const save = el("button", { className: "primary", type: "submit", textContent: say("save") });
    const form = el("form", { className: "fields" }, content, told, el("p", {}, save));
    const dialog = openDialog(title, say("close"), form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const patches = patchesOf(this.fields());
      if (patches.length === 0) return dialog.close();
      const { why } = await desk.change("patches", { patches }, seen);
      if (why === undefined) return dialog.close();
      // What is written here stays; sent once more, it is a change of what is shown now.
      seen = desk.session!.version;
      told.textContent = why;
    });
  }

  #add(name: string, field: Field): void {
    this.#fields.set(name, field);
    field.name = name;
    this.element.append(labelled(say(`field_${name}`), field));
  }

  #stepChoice(chosen: string | undefined): HTMLSelectElement {
    const steps = this.desk.session!.guide.steps;
    const known = steps.map((step) => [step.id, nameOf(step)] as const);
    const select = choices([["", "–"], ...known]);
    select.value = chosen ?? "";
    return select;
  }

  #answersOf(options: readonly GuideOption[]): HTMLElement {
    const rows = el("div", { className: "answers" }, ...options.map((option) => this.#answer(option)));
    const more = button(say("add_answer"), () => {
      const row = this.#answer({ id: "", label: "", next: "" });
      rows.append(row);
      row.querySelector("input")?.focus();
    });
    this.element.append(el("fieldset", {}, el("legend", { textContent: say("field_options") }), rows, more));
    return rows;
  }

  #answer({ id, label, next }: GuideOption): HTMLElement {
    const words = el("input", { value: label, ariaLabel: say("answer") });
    const lead = this.#stepChoice(next);
    lead.ariaLabel = say("field_next");
    const row = el("div", { className: "answer" }, words, lead);
    row.dataset.id = id;
    row.append(button(say("delete"), () => row.remove()));
    return row;
  }

  /** With everything that an answer has besides, such as other words for it. */
  #options(rows: HTMLElement): readonly GuideOption[] {
    const taken = new Set((this.step.options ?? []).map(({ id }) => id));
    return [...rows.children].flatMap((row) => {
      const label = row.querySelector("input")!.value.trim();
      const next = row.querySelector("select")!.value;
      const { id = "" } = (row as HTMLElement).dataset;
      if (label === "") return [];
      const had = this.step.options?.find((option) => option.id === id);
      const own = id === "" ? freeId("answer", taken) : id;
      taken.add(own);
      return [{ ...had, id: own, label, next }];
    });
  }
}
