/** The menu on a step: what can be done about it, and about what is suggested for it. */
import { button, oneStop } from "./dom.js";

/** Its name, and what it does. */
export type MenuItem = readonly [name: string, act: () => void];

/** Between the menu and the edge of the window, in CSS pixels. */
const EDGE = 8;

/** Opens it beside what was pressed; Escape, a choice and a press elsewhere close it. */
export function openMenu(menu: HTMLElement, anchor: HTMLElement, items: readonly MenuItem[]): void {
  menu.replaceChildren(
    ...items.map(([name, act]) => {
      const item = button(name, () => {
        menu.hidePopover();
        act();
      });
      item.setAttribute("role", "menuitem");
      return item;
    }),
  );
  oneStop(menu);
  menu.showPopover();
  const place = anchor.getBoundingClientRect();
  const { height, width } = menu.getBoundingClientRect();
  const left = Math.max(EDGE, Math.min(place.left + EDGE, innerWidth - width - EDGE));
  const top = Math.max(EDGE, Math.min(place.bottom, innerHeight - height - EDGE));
  Object.assign(menu.style, { left: `${left}px`, top: `${top}px` });
  menu.querySelector("button")?.focus();
}
