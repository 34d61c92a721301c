/** The kiosk's page: puts its parts together, keeps an eye on the connection, and forgets when nobody is there. */
import { ColleagueDialog } from "./colleague.js";
import { Conversation } from "./conversation.js";
import { Header } from "./header.js";
import type { OnScreenKeyboard } from "./keyboard.js";
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
  readonly #header: Header;
  readonly #colleague: ColleagueDialog;
  readonly #conversation: Conversation;
  #config = UNKNOWN_YET;
  /** Undefined: there is none, or not yet. */
  #keyboard: OnScreenKeyboard | undefined;
  /** Undefined: nobody chose one, and questions are answered in their own. */
  #chosen: string | undefined;
  /** When somebody was last seen; undefined: nobody was since the page forgot. */
  #lastSignOfLifeMs: number | undefined;

  constructor(
    private readonly service: Service,
    private readonly strings: AllStrings,
  ) {
    const view = new View(this.strings.en!);
    this.#view = view;
    this.#header = new Header(this.strings.en!, view.loudspeaker, {
      languageChosen: (tag) => {
        this.#chosen = tag;
        this.#speak();
      },
    });
    this.#colleague = new ColleagueDialog(service);
    this.#conversation = new Conversation({
      service,
      microphone: new Microphone(),
      newVoice: (listener) => newVoice(view.loudspeaker, listener),
      language: () => this.#chosen ?? this.#config.language,
      show: (state) => {
        view.show(state);
        // The keys lie where a fault is told.
        if (!canAsk(state)) this.#keyboard?.close();
      },
      showLoudness: (level) => view.showLoudness(level),
    });
  }

  begin(): void {
    this.#listenToPeople();
    this.#speak();
    this.#view.show(this.#conversation.state);
    void this.#look();
    setInterval(() => {
      this.#forgetWhenIdle();
      this.#view.refreshAges();
    }, 1_000);
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
    for (const button of view.callButtons) button.addEventListener("click", () => this.#call());
    for (const sign of ["pointerdown", "keydown", "input"])
      addEventListener(sign, () => this.#aSignOfLife(), { capture: true, passive: true });
  }

  /** Says everything in the language that counts now. */
  #speak(): void {
    const language = this.#language;
    const strings = this.strings[language]!;
    this.#view.speak(strings, language, this.#config.brand.welcome[language]);
    this.#header.speak(strings, language);
    this.#keyboard?.speak(strings, language);
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
      const config = await this.service.config();
      this.#config = config;
      this.#header.showBrand(config.brand);
      this.#header.setVolume(config.volume);
      this.#header.showLanguages(
        config.languages.map((tag) => ({ tag, name: this.strings[tag]?.language_name ?? tag })),
      );
      if (config.call !== undefined) this.#view.offerCall();
      if (config.keyboard && this.#keyboard === undefined) {
        const { OnScreenKeyboard } = await import("./keyboard.js");
        this.#keyboard = new OnScreenKeyboard(this.#view.input, this.#view.form);
      }
      this.#conversation.happened({ type: "set_up" });
      this.#speak();
      return true;
    } catch (error) {
      this.#conversation.happened({ type: error instanceof LockedOut ? "locked_out" : "connection_lost" });
      return false;
    }
  }

  #call(): void {
    const { call } = this.#config;
    const language = this.#language;
    if (call !== undefined) void this.#colleague.open(call, this.strings[language]!, language);
  }

  #aSignOfLife(): void {
    this.#lastSignOfLifeMs = performance.now();
  }

  #forgetWhenIdle(): void {
    const { state } = this.#conversation;
    // Who holds the button, waits or listens is there.
    if (isHeld(state) || isAnswering(state)) this.#aSignOfLife();
    const sinceMs = this.#lastSignOfLifeMs;
    if (sinceMs !== undefined && performance.now() - sinceMs >= this.#config.idle_ms) this.#forget();
  }

  /** The page is as it was before anybody came. */
  #forget(): void {
    this.#lastSignOfLifeMs = undefined;
    this.#chosen = undefined;
    this.#view.input.value = "";
    this.#header.close();
    this.#header.setVolume(this.#config.volume);
    this.#keyboard?.close();
    this.#colleague.close();
    this.#conversation.forget();
    this.#speak();
  }
}

/** Until the service has told. */
const UNKNOWN_YET: KioskConfig = {
  languages: [],
  idle_ms: 60_000,
  keyboard: false,
  volume: 100,
  brand: { welcome: {} },
};

const token = takeToken();
new Page(new Service(token ?? ""), await loadStrings("/kiosk/assets/strings.json")).begin();
