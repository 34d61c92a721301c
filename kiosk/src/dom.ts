/** Elements of a page: found, which they have to be, and made. */

export function newElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

/** Throws where the page has none of this kind with this id. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`the page has no ${id}`);
}

/** Gives each element of a part of the page the text that its `data-string` names. */
export function speak(part: ParentNode, strings: Readonly<Record<string, string>>): void {
  for (const element of part.querySelectorAll<HTMLElement>("[data-string]"))
    element.textContent = strings[element.dataset.string!]!;
}
