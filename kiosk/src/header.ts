/** The top of the page: whose the screen is, how loud it is, and the choice of language. */

import { byId, newElement } from "./dom.js";
import type { Brand } from "./service.js";
import type { Strings } from "./strings.js";

/** Loudness in percent, as one press after the other chooses it. */
const VOLUMES: readonly number[] = [100, 60, 30, 0];

export interface HeaderListener {
  languageChosen(tag: string): void;
}

export class Header {
  readonly #root = document.documentElement;
  readonly #brand = byId("brand", HTMLElement);
  readonly #volume = byId("volume", HTMLButtonElement);
  readonly #language = byId("language", HTMLButtonElement);
  readonly #languages = byId("languages", HTMLElement);
  #volumePercent = 100;

  constructor(
    private strings: Strings,
    /** What is made louder and softer. */
    private readonly loudspeaker: HTMLMediaElement,
    listener: HeaderListener,
  ) {
    this.#volume.addEventListener("click", () => this.setVolume(softer(this.#volumePercent)));
    this.#languages.addEventListener("click", ({ target }) => {
      if (!(target instanceof HTMLButtonElement)) return;
      this.#languages.hidePopover();
      listener.languageChosen(target.lang);
    });
  }

  /** Speaks another language from now on. */
  speak(strings: Strings, language: string): void {
    this.strings = strings;
    this.#language.lastElementChild!.textContent = strings.language_name;
    this.#language.setAttribute("aria-label", `${strings.language}: ${strings.language_name}`);
    for (const button of this.#languages.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(button.lang === language));
    this.setVolume(this.#volumePercent);
  }

  /** `percent`: 0 to 100. */
  setVolume(percent: number): void {
    this.#volumePercent = percent;
    this.loudspeaker.volume = percent / 100;
    this.#volume.dataset.level =
      percent === 0 ? "off" : percent > 60 ? "loud" : percent > 30 ? "medium" : "soft";
    this.#volume.setAttribute("aria-label", `${this.strings.volume} ${percent} %`);
  }

  /** Closes what is open. */
  close(): void {
    this.#languages.hidePopover();
  }

  showLanguages(languages: readonly { readonly tag: string; readonly name: string }[]): void {
    this.#language.hidden = languages.length < 2;
    this.#languages.replaceChildren(
      ...languages.map(({ name, tag }) => {
        const button = newElement("button", name);
        button.type = "button";
        button.lang = tag;
        return button;
      }),
    );
  }

  showBrand({ logo, name, palette }: Brand): void {
    if (name !== undefined) document.title = name;
    if (palette !== undefined) {
      this.#root.style.colorScheme = palette.scheme;
      for (const [tone, colour] of Object.entries(palette.tones))
        this.#root.style.setProperty(`--${tone}`, colour);
    }
    if (logo !== undefined) {
      const image = newElement("img", "");
      image.alt = name ?? "";
      image.src = logo;
      this.#brand.replaceChildren(image);
    } else if (name !== undefined) this.#brand.replaceChildren(newElement("span", name));
  }
}

/** The next lower step; from silence back to the loudest. */
function softer(percent: number): number {
  return VOLUMES.find((step) => step < percent) ?? VOLUMES[0]!;
}
