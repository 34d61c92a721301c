/** The kiosk's page: puts its parts together, keeps an eye on the connection, and forgets when nobody is there. */
import { Conversation } from "./conversation.js";
import { Microphone } from "./microphone.js";
import { newVoice } from "./player.js";
import { type KioskConfig, LockedOut, Service } from "./service.js";
import { canAsk, isAnswering, isHeld } from "./state.js";
import { type AllStrings, languageFor, loadStrings } from "./strings.js";
import { TalkButton } from "./talk-button.js";
import { takeToken } from "./token.js";
import { View } from "./view.js";

/** How often the page looks whether the service is there, and while it is not. */
const LOOK_MS = 10_000;
const LOOK_AGAIN_MS = 2_000;

/** So many fit every screen beside the button. */
const SUGGESTIONS_MAX = 3;

class Page {
  readonly #view: View;
  readonly #conversation: Conversation;
  #config: KioskConfig = { idle_ms: 60_000, languages: [] };
  /** Undefined: nobody chose one, and questions are answered in their own. */
  #chosen: string | undefined;
  #lastSignOfLifeMs = performance.now();

  constructor(
    private readonly service: Service,
    private readonly strings: AllStrings,
  ) {
    const view = new View(this.strings.en!);
    this.#view = view;
    this.#conversation = new Conversation({
      service,
      microphone: new Microphone(),
      newVoice: (listener) => newVoice(view.loudspeaker, listener),
      language: () => this.#chosen ?? this.#config.language,
      show: (state) => view.show(state),
      showLoudness: (level) => view.showLoudness(level),
    });
  }

  begin(): void {
    this.#listenToPeople();
    this.#speak();
    this.#view.show(this.#conversation.state);
    void this.#look();
    setInterval(() => this.#forgetWhenIdle(), 1_000);
    addEventListener("offline", () => this.#conversation.happened({ type: "connection_lost" }));
    addEventListener("pagehide", () => {
      if (!this.#conversation.isFresh) this.#conversation.forget();
    });
  }

  get #language(): string {
    return languageFor(
      [this.#chosen, this.#config.language, ...navigator.languages],
      Object.keys(this.strings),
    );
  }

  #listenToPeople(): void {
    const view = this.#view;
    const conversation = this.#conversation;
    if (Microphone.isThere) {
      new TalkButton(view.talk, {
        press: () => conversation.press(),
        release: (heldMs) => conversation.release(heldMs),
        cancel: () => conversation.cancelPress(),
      });
    } else view.hideTalk();
    view.form.addEventListener("submit", (event) => {
      event.preventDefault();
      conversation.ask(view.input.value);
      view.input.value = "";
    });
    view.stopButton.addEventListener("click", () => conversation.stop());
    view.repeatButton.addEventListener("click", () => conversation.repeat());
    view.doneButton.addEventListener("click", () => this.#forget());
    view.languages.addEventListener("click", ({ target }) => {
      if (!(target instanceof HTMLButtonElement)) return;
      this.#chosen = target.lang;
      this.#speak();
    });
    for (const sign of ["pointerdown", "keydown", "input"])
      addEventListener(sign, () => this.#aSignOfLife(), { capture: true, passive: true });
  }

  /** Says everything in the language that counts now. */
  #speak(): void {
    const language = this.#language;
    this.#view.speak(this.strings[language]!, language);
    this.#view.show(this.#conversation.state);
    if (canAsk(this.#conversation.state)) void this.#suggest();
  }

  async #suggest(): Promise<void> {
    try {
      const questions = await this.service.suggestions(this.#language);
      this.#view.showSuggestions(questions.slice(0, SUGGESTIONS_MAX), (question) =>
        this.#conversation.ask(question),
      );
    } catch (error) {
      // Nobody misses what was never there; whether the service is, is found out apart.
      console.info(String(error));
    }
  }

  /** Whether the service is there: again and again, for as long as the page is. */
  async #look(): Promise<void> {
    const { state } = this.#conversation;
    const known = canAsk(state);
    if (known ? await this.service.isThere() : await this.#setUp()) {
      if (known) this.#conversation.happened({ type: "connected" });
    } else if (known) {
      this.#conversation.happened({ type: "connection_lost" });
    }
    setTimeout(() => void this.#look(), canAsk(this.#conversation.state) ? LOOK_MS : LOOK_AGAIN_MS);
  }

  /** Gets what the page has to know; false when it cannot. */
  async #setUp(): Promise<boolean> {
    try {
      this.#config = await this.service.config();
      this.#view.showLanguages(
        this.#config.languages.map((tag) => ({ tag, name: this.strings[tag]?.language_name ?? tag })),
      );
      this.#conversation.happened({ type: "set_up" });
      this.#speak();
      return true;
    } catch (error) {
      this.#conversation.happened({ type: error instanceof LockedOut ? "locked_out" : "connection_lost" });
      return false;
    }
  }

  #aSignOfLife(): void {
    this.#lastSignOfLifeMs = performance.now();
  }

  #forgetWhenIdle(): void {
    const { state } = this.#conversation;
    // Who holds the button, waits or listens is there.
    if (isHeld(state) || isAnswering(state)) this.#aSignOfLife();
    const nobodyCame =
      this.#conversation.isFresh && this.#chosen === undefined && this.#view.input.value === "";
    if (nobodyCame || performance.now() - this.#lastSignOfLifeMs < this.#config.idle_ms) return;
    this.#forget();
  }

  #forget(): void {
    this.#aSignOfLife();
    this.#chosen = undefined;
    this.#view.input.value = "";
    this.#conversation.forget();
    this.#speak();
  }
}

const token = takeToken();
new Page(new Service(token ?? ""), await loadStrings()).begin();
