/**
 * A keyboard on the screen, for screens that have no other. It opens when the field is touched, and goes when somebody
 * types on keys that can be felt. https://virtual-keyboard.js.org/ draws it; what a key does is here.
 */
import { SimpleKeyboard } from "/kiosk/assets/keyboard/index.modern.esm.js";
import { byId } from "./dom.js";
import { layoutFor } from "./keyboard-layouts.js";
import type { Strings } from "./strings.js";

const SIGNS = { "{bksp}": "⌫", "{shift}": "⇧", "{hide}": "⌄", "{enter}": "↵" };

export class OnScreenKeyboard {
  readonly #host = byId("keyboard", HTMLElement);
  readonly #keys: SimpleKeyboard;
  #capitals = false;

  constructor(
    private readonly input: HTMLInputElement,
    private readonly form: HTMLFormElement,
  ) {
    // The system's own keyboard, where it has one, would lie over this one.
    input.inputMode = "none";
    this.#keys = new SimpleKeyboard(this.#host.querySelector("div")!, {
      theme: "hg-theme-default",
      useButtonTag: true,
      // The field keeps the focus, and with it the caret.
      preventMouseDownDefault: true,
      disableCaretPositioning: true,
      onKeyPress: (key) => this.#press(key),
    });
    input.addEventListener("click", () => this.open());
    input.addEventListener("keydown", ({ key }) => {
      if (key.length === 1) this.close();
    });
    form.addEventListener("submit", () => this.close());
    // Aids that can only click touch nothing first.
    this.#host.addEventListener("click", ({ detail, target }) => {
      const key = target instanceof Element ? target.closest<HTMLElement>("[data-skbtn]") : null;
      if (detail === 0 && key !== null) this.#press(key.dataset.skbtn!);
    });
  }

  /** Has the letters of another language from now on. */
  speak(strings: Strings, language: string): void {
    const names = {
      "{bksp}": strings.key_delete,
      "{shift}": strings.key_shift,
      "{hide}": strings.key_hide,
      "{enter}": strings.send,
    };
    this.#keys.setOptions({
      layout: layoutFor(language),
      display: { ...SIGNS, "{space}": strings.key_space },
      buttonAttributes: Object.entries(names).map(([buttons, value]) => {
        return { attribute: "aria-label", value, buttons };
      }),
    });
  }

  open(): void {
    if (this.input.disabled || !this.#host.hidden) return;
    this.#host.hidden = false;
    document.documentElement.dataset.keyboard = "open";
    this.#capitalise(this.input.value === "");
  }

  close(): void {
    this.#host.hidden = true;
    delete document.documentElement.dataset.keyboard;
  }

  #press(key: string): void {
    switch (key) {
      case "{hide}":
        this.close();
        break;
      case "{enter}":
        this.form.requestSubmit();
        break;
      case "{shift}":
        this.#capitalise(!this.#capitals);
        break;
      case "{bksp}":
        this.#replace("");
        break;
      default:
        this.#replace(key === "{space}" ? " " : key);
    }
  }

  /** Puts `text` in place of what is selected; without a text or a selection, the character before goes. */
  #replace(text: string): void {
    const { input } = this;
    const end = input.selectionEnd ?? input.value.length;
    let start = input.selectionStart ?? end;
    if (text === "" && start === end) start -= Array.from(input.value.slice(0, start)).at(-1)?.length ?? 0;
    if (input.value.length - (end - start) + text.length > input.maxLength) return;
    input.setRangeText(text, start, end, "end");
    if (input.selectionEnd === input.value.length) input.scrollLeft = input.scrollWidth;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    this.#capitalise(input.value === "");
  }

  #capitalise(capitals: boolean): void {
    if (this.#capitals === capitals) return;
    this.#capitals = capitals;
    this.#keys.setOptions({ layoutName: capitals ? "shift" : "default" });
  }
}
