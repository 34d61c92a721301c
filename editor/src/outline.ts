/** The list of the steps: in their order, with what is wrong with each, and what suggestions would do to it. */
import { button, el, oneStop } from "./dom.js";
import type { Row } from "./ghosts.js";
import { nameOf, type Session } from "./guide.js";
import { say } from "./strings.js";

/** What a click on a step does; `anchor`: where. */
export type OnStep = (row: Row, anchor: HTMLElement) => void;

export function showOutline(list: HTMLElement, rows: readonly Row[], session: Session, onStep: OnStep): void {
  list.replaceChildren(...rows.map((row) => el("li", {}, stepButton(row, session, onStep))));
  oneStop(list);
}

/** A step to be pressed, the same in the list and on the map: its kind, its name, and what there is to say of it. */
export function stepButton(row: Row, session: Session, onStep: OnStep): HTMLButtonElement {
  const { ghost, step } = row;
  const notes = notesOf(row, session);
  const one = button("", () => onStep(row, one), `step ${ghost?.what ?? ""}`);
  one.dataset.step = step.id;
  one.setAttribute("aria-haspopup", "menu");
  if (notes.some(({ wrong }) => wrong)) one.classList.add("wrong");
  one.append(
    el("span", { className: "kind", textContent: say(`kind_${step.kind}`) }),
    el("span", { className: "name", textContent: nameOf(step) }),
    ...notes.map(({ text }) => el("span", { className: "note", textContent: text })),
  );
  return one;
}

/** What a suggestion would do to it, what is wrong with it, and that nobody stands behind it. */
export function notesOf({ ghost, step }: Row, { findings, marked }: Session) {
  const wrong = findings.filter((finding) => finding.step === step.id && ghost?.what !== "added");
  return [
    ...(ghost === undefined
      ? []
      : [{ text: `${say("suggested")}: ${say(`what_${ghost.what}`)}`, wrong: false }]),
    ...wrong.map(({ problem, remedy }) => ({ text: `${problem}; ${remedy}`, wrong: true })),
    ...(marked.includes(step.id) ? [{ text: say("marked"), wrong: true }] : []),
  ];
}
