/** Puts a state and the words of a language on the screen. Reads nothing back from it. */
import { byId, newElement, speak } from "./dom.js";
import { operationParts } from "./operation.js";
import {
  canRepeat,
  type GuideStep,
  isAnswering,
  isHeld,
  type Reading,
  type Source,
  type State,
  type Turn,
} from "./state.js";
import { ageInWords, filled, type StringName, type Strings } from "./strings.js";

export class View {
  readonly talk = byId("talk", HTMLButtonElement);
  readonly form = byId("type", HTMLFormElement);
  readonly input = byId("question", HTMLInputElement);
  readonly stopButton = byId("stop", HTMLButtonElement);
  readonly repeatButton = byId("repeat", HTMLButtonElement);
  readonly doneButton = byId("done", HTMLButtonElement);
  /** What it plays stands on the screen as text. */
  readonly loudspeaker = document.body.appendChild(new Audio());

  readonly #root = document.documentElement;
  readonly #status = byId("status", HTMLElement);
  readonly #alert = byId("alert", HTMLElement);
  readonly #title = byId("title", HTMLElement);
  readonly #turn = byId("turn", HTMLElement);
  readonly #asked = byId("asked", HTMLElement);
  readonly #answer = byId("answer", HTMLElement);
  readonly #sources = byId("sources", HTMLElement);
  readonly #readings = byId("readings", HTMLElement);
  readonly #operation = byId("operation", HTMLElement);
  readonly #guide = byId("guide", HTMLElement);
  readonly #suggestions = byId("suggestions", HTMLElement);
  readonly #talkLabel = byId("talk-label", HTMLElement);

  /** Buttons that call a colleague: one at the top, one where there is nothing better to do. */
  readonly callButtons = Array.from(document.querySelectorAll<HTMLButtonElement>("button.call"));
  #canCall = false;
  /** The turn stays at the top while it grows, until its reader scrolls. */
  #isFollowed = false;

  constructor(private strings: Strings) {
    for (const scrolling of ["wheel", "touchmove"])
      addEventListener(scrolling, () => (this.#isFollowed = false), { passive: true });
  }

  /** Speaks another language from now on; `welcome` greets who comes, instead of the page's own heading. */
  speak(strings: Strings, language: string, welcome: string | undefined): void {
    this.strings = strings;
    this.#title.textContent = welcome ?? strings.title;
    this.input.placeholder = strings.type_your_question;
    this.#root.lang = language;
    speak(document, strings);
    for (const element of document.querySelectorAll<HTMLElement>("[data-label]")) {
      element.setAttribute("aria-label", strings[element.dataset.label as StringName]);
    }
  }

  /** A colleague can be called from now on. */
  offerCall(): void {
    this.#canCall = true;
  }

  show(state: State): void {
    this.#root.dataset.state = state.type;
    const turn = "turn" in state ? state.turn : undefined;
    this.#showTurn(turn);
    const fault = alertOf(state);
    setText(this.#alert, fault === undefined ? "" : this.strings[fault]);
    setText(this.#status, fault === undefined ? this.strings[statusOf(state)] : "");
    setText(this.#talkLabel, this.strings[isHeld(state) ? "release_to_send" : "hold_to_talk"]);
    this.talk.setAttribute("aria-pressed", String(isHeld(state)));
    const asleep = state.type === "starting" || state.type === "locked" || state.type === "offline";
    this.talk.disabled = asleep;
    this.input.disabled = asleep;
    this.stopButton.hidden = !isAnswering(state);
    this.repeatButton.hidden = !canRepeat(state);
    this.doneButton.hidden = !["answered", "unanswered", "failed"].includes(state.type);
    const [aside, urgent] = this.callButtons;
    const isStuck = ["unanswered", "failed", "offline"].includes(state.type);
    aside!.hidden = !this.#canCall || isStuck;
    urgent!.hidden = !this.#canCall || !isStuck;
    this.#suggestions.hidden = state.type !== "ready" || this.#suggestions.childElementCount === 0;
    // A small screen may show something else.
    if (this.#isFollowed) this.#turn.scrollIntoView();
  }

  /** `loudness`: 0 to 1. */
  showLoudness(loudness: number): void {
    this.#root.style.setProperty("--loudness", loudness.toFixed(2));
  }

  /** No microphone here: the button would promise what cannot be. */
  hideTalk(): void {
    byId("talking", HTMLElement).hidden = true;
  }

  showSuggestions(questions: readonly string[], ask: (question: string) => void): void {
    const heading = newElement("h2", this.strings.suggested_questions);
    const items = questions.map((question) => {
      const button = newElement("button", question);
      button.type = "button";
      button.addEventListener("click", () => ask(question));
      const item = document.createElement("li");
      item.append(button);
      return item;
    });
    const list = document.createElement("ul");
    list.append(...items);
    this.#suggestions.replaceChildren(...(items.length === 0 ? [] : [heading, list]));
    this.#suggestions.hidden = this.#root.dataset.state !== "ready" || items.length === 0;
  }

  #showTurn(turn: Turn | undefined): void {
    if (turn?.answer === "" || this.#turn.hidden) this.#isFollowed = true;
    this.#title.hidden = turn !== undefined;
    this.#turn.hidden = turn === undefined;
    setText(this.#asked, turn === undefined ? "" : (turn.question ?? this.strings.your_question));
    this.#showAnswer(turn?.answer ?? "");
    const sources = turn?.sources ?? [];
    if (sources.length !== this.#sources.childElementCount || sources.length === 0)
      this.#sources.replaceChildren(...sources.map((source) => this.#card(source)));
    this.#sources.hidden = sources.length === 0;
    this.#showReadings(turn?.readings ?? []);
    this.#showGuide(turn?.guide);
    const operation = turn?.operation;
    this.#operation.hidden = operation === undefined;
    const parts = operation === undefined ? [] : operationParts(operation, this.strings);
    this.#operation.replaceChildren(newElement("h2", this.strings.operation), ...parts);
  }

  #showGuide(guide: GuideStep | undefined): void {
    this.#guide.hidden = guide === undefined;
    if (guide === undefined) return;
    const texts = [guide.guide, `${guide.progress} ${guide.step}`, guide.can_say];
    for (const [at, text] of texts.entries()) setText(this.#guide.children[at] as HTMLElement, text);
    this.#guide.lang = guide.language;
  }

  /** Readings grow old on the screen too. */
  refreshAges(): void {
    for (const age of this.#readings.querySelectorAll("time"))
      setText(age, ageInWords(Date.now() - Date.parse(age.dateTime), this.#root.lang));
  }

  #showReadings(readings: readonly Reading[]): void {
    const list = document.createElement("ul");
    list.append(...readings.slice(0, READINGS_MAX).map((reading) => this.#line(reading)));
    const left = readings.length - READINGS_MAX;
    if (left > 0) list.append(newElement("li", `+ ${left}`));
    this.#readings.replaceChildren(newElement("h2", this.strings.checked), list);
    this.#readings.hidden = readings.length === 0;
    this.refreshAges();
  }

  #line({ readAtMs, text }: Reading): HTMLElement {
    const line = newElement("li", "");
    const age = newElement("time", "");
    if (readAtMs !== undefined) age.dateTime = new Date(readAtMs).toISOString();
    line.append(
      newElement("span", text),
      readAtMs === undefined ? newElement("span", this.strings.no_reading) : age,
    );
    return line;
  }

  /** Adds what is new: a screen reader then reads that and no more. */
  #showAnswer(text: string): void {
    const shown = this.#answer.textContent ?? "";
    if (text === shown) return;
    const grows = shown !== "" && text.startsWith(shown);
    const piece = newElement("span", grows ? text.slice(shown.length) : text);
    if (grows) this.#answer.append(piece);
    else this.#answer.replaceChildren(...(text === "" ? [] : [piece]));
  }

  #card({ page, quote, revision, section, title }: Source): HTMLElement {
    const card = newElement("figure", "");
    const words = newElement("blockquote", quote);
    const caption = newElement("figcaption", "");
    const place = [
      section,
      page && filled(this.strings.page, { page }),
      revision && filled(this.strings.revision, { revision }),
    ].filter((part) => part !== undefined);
    caption.append(newElement("cite", title));
    if (place.length > 0) caption.append(newElement("span", place.join(" · ")));
    card.append(caption, words);
    return card;
  }
}

/** So many fit every screen beside an answer. */
const READINGS_MAX = 4;

/** What a screen reader says at once. */
function alertOf(state: State): StringName | undefined {
  switch (state.type) {
    case "offline":
      return "offline";
    case "locked":
      return "not_set_up";
    case "failed":
      return FAILURES[state.failure];
    default:
      return undefined;
  }
}

const FAILURES = {
  again: "failed",
  busy: "busy",
  unheard: "not_understood",
  no_microphone: "microphone_blocked",
} as const satisfies Record<(State & { type: "failed" })["failure"], StringName>;

function statusOf(state: State): StringName {
  switch (state.type) {
    case "ready":
      return state.hint ? "hold_longer" : "ready";
    case "answered":
      return "ready";
    case "unanswered":
      return "no_answer";
    case "opening":
      return "microphone_opening";
    case "listening":
    case "thinking":
    case "speaking":
      return state.type;
    default:
      return "starting";
  }
}

function setText(element: HTMLElement, text: string): void {
  // An element that is told the same again would be read out again.
  if (element.textContent !== text) element.textContent = text;
}
