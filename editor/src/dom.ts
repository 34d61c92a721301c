/** Elements of the page, made and found. Whatever a guide or a person wrote comes in as text, never as markup. */

type Names = keyof HTMLElementTagNameMap;

/** An element with these properties and children; texts stay texts. */
export function el<Name extends Names>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** A button that does one thing. */
export function button(text: string, onclick: () => void, className = ""): HTMLButtonElement {
  return el("button", { type: "button", textContent: text, onclick, className });
}

/** A field with its name above it. */
export function labelled<E extends HTMLElement>(text: string, field: E): HTMLLabelElement {
  return el("label", {}, el("span", { textContent: text }), field);
}

/** Choices of a `select`, each a value and its name. */
export function choices(values: readonly (readonly [value: string, name: string])[]): HTMLSelectElement {
  return el("select", {}, ...values.map(([value, textContent]) => el("option", { value, textContent })));
}

/** A dialog that is there until it is closed; Escape and its cross close it. */
export function openDialog(
  title: string,
  close: string,
  ...children: readonly (Node | string)[]
): HTMLDialogElement {
  const heading = el("h2", { textContent: title, id: DIALOG_ID });
  const cross = el("button", { type: "button", className: "cross", ariaLabel: close, textContent: "×" });
  const dialog = el("dialog", {}, el("header", {}, heading, cross), ...children);
  dialog.setAttribute("aria-labelledby", heading.id);
  cross.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector<HTMLElement>("input:not([type=checkbox]), textarea, select")?.focus();
  return dialog;
}

/** Of the heading; one dialog is open at a time. */
const DIALOG_ID = "dialog_title";

/** Which way an arrow key points. */
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** One stop of the Tab key for all buttons of a part of the page; arrow keys, Home and End go from one to the next. */
export function walkedByArrows(part: HTMLElement): void {
  part.addEventListener("focusin", ({ target }) => {
    for (const one of buttonsIn(part)) one.tabIndex = one === target ? 0 : -1;
  });
  part.addEventListener("keydown", (event) => {
    const all = buttonsIn(part);
    const from = all.find((one) => one === document.activeElement);
    if (from === undefined) return;
    const arrow = ARROWS[event.key];
    const to =
      event.key === "Home" ? all[0] : event.key === "End" ? all.at(-1) : arrow && nearest(from, all, arrow);
    if (to === undefined) return;
    event.preventDefault();
    to.focus();
  });
}

/** To be called when there are other buttons: the first one is the stop, unless one of them was it. */
export function oneStop(part: HTMLElement): void {
  const all = buttonsIn(part);
  for (const [at, one] of all.entries()) one.tabIndex = at === 0 ? 0 : -1;
}

function buttonsIn(part: HTMLElement): readonly HTMLButtonElement[] {
  return [...part.querySelectorAll("button")];
}

function nearest(
  from: HTMLElement,
  all: readonly HTMLElement[],
  [x, y]: readonly [number, number],
): HTMLElement | undefined {
  const here = middleOf(from);
  const far = all.flatMap((one) => {
    const there = middleOf(one);
    const [dx, dy] = [there.x - here.x, there.y - here.y];
    const ahead = dx * x + dy * y;
    const aside = Math.abs(dx * y) + Math.abs(dy * x);
    // To the side goes only what lies there; down goes whatever lies below.
    const isThere = ahead > 1 && (x === 0 || aside <= ahead);
    return one === from || !isThere ? [] : [{ one, distance: ahead + aside }];
  });
  return far.sort((one, other) => one.distance - other.distance)[0]?.one;
}

function middleOf(element: HTMLElement): { readonly x: number; readonly y: number } {
  const { bottom, left, right, top } = element.getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}
