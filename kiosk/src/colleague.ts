/** How to reach a colleague: what the settings say, over the page, and a call to them where one can be made. */

import { byId } from "./dom.js";
import type { KioskConfig, Service } from "./service.js";
import type { Strings } from "./strings.js";

export class ColleagueDialog {
  readonly #dialog = byId("colleague", HTMLDialogElement);
  readonly #text = byId("colleague-text", HTMLElement);
  readonly #called = byId("colleague-called", HTMLElement);

  constructor(private readonly service: Service) {}

  /** Shows how, and calls. */
  async open(call: NonNullable<KioskConfig["call"]>, strings: Strings, language: string): Promise<void> {
    this.#text.textContent = call.text[language] ?? Object.values(call.text)[0] ?? "";
    this.#called.textContent = call.reaches ? strings.starting : "";
    this.#dialog.showModal();
    if (!call.reaches) return;
    const reached = await this.service.callColleague().catch((error: unknown) => {
      console.info(String(error));
      return false;
    });
    this.#called.textContent = reached ? strings.call_passed_on : strings.call_failed;
  }

  close(): void {
    this.#dialog.close();
  }
}
