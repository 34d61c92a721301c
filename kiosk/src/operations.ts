/** The page at `/operations`: what waits for consent and what was done, for who holds a key with the role `approve`. */
import { byId, newElement, speak } from "./dom.js";
import { operationParts } from "./operation.js";
import type { Operation } from "./state.js";
import { filled, languageFor, loadStrings, type OperationsStrings } from "./strings.js";

/** How often it is asked what there is, how long an answer may take, and after how long without a touch that ends. */
const POLL_MS = 3_000;
const REQUEST_MS_MAX = 10_000;
const IDLE_MS_MAX = 900_000;

interface ListedOperation extends Operation {
  readonly readback_digest: string;
  readonly description: string;
  readonly asked_of: string;
  readonly approved_by: readonly string[];
  /** Of one that waits. */
  readonly seconds_left?: number;
  /** Why it was not done. */
  readonly reason?: string;
}

/** The service said no; the message is for the reader. */
class Refused extends Error {}

class OperationsPage {
  readonly #status = byId("status", HTMLElement);
  readonly #template = byId("card", HTMLTemplateElement).content;
  readonly #cards = new Map<string, HTMLElement>();
  #touchedMs = performance.now();
  /** Undefined until somebody said who they are. */
  #who: { readonly key: string; readonly person: Readonly<Record<string, string>> } | undefined;

  constructor(private readonly strings: OperationsStrings) {}

  begin(): void {
    for (const part of [document, this.#template]) speak(part, this.strings);
    byId("who", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      const person = ["network", "username"].map((id) => [id, byId(id, HTMLInputElement).value.trim()]);
      this.#who = {
        key: byId("api_key", HTMLInputElement).value,
        person: Object.fromEntries(person.filter(([, value]) => value !== "")),
      };
      void this.#do(() => this.#refresh());
    });
    for (const sign of ["pointerdown", "keydown"])
      addEventListener(sign, () => (this.#touchedMs = performance.now()), { passive: true });
    void this.#poll();
  }

  /** For as long as the page is there. */
  async #poll(): Promise<void> {
    const isPaused = document.hidden || performance.now() - this.#touchedMs >= IDLE_MS_MAX;
    if (this.#who !== undefined) {
      if (isPaused) this.#status.textContent = this.strings.paused;
      else if (this.#status.textContent === this.strings.paused) this.#status.textContent = "";
      if (!isPaused) await this.#do(() => this.#refresh());
    }
    setTimeout(() => void this.#poll(), POLL_MS);
  }

  async #refresh(): Promise<void> {
    const query = new URLSearchParams(this.#who!.person);
    const { operations } = (await this.#call(`/api/v1/operations?${query}`)) as {
      readonly operations: readonly ListedOperation[];
    };
    const waiting = operations.filter((one) => one.seconds_left !== undefined);
    for (const [id, card] of this.#cards)
      if (!waiting.some((one) => idOf(one) === id) && this.#cards.delete(id)) card.remove();
    for (const one of waiting) {
      // A card stays as it is while it waits, with what was typed into it.
      const card = this.#cards.get(idOf(one)) ?? this.#newCard(one);
      const left = filled(this.strings.seconds_left, { seconds: one.seconds_left! });
      card.querySelector("p:has(+ form)")!.textContent = left;
    }
    byId("nothing", HTMLElement).hidden = waiting.length > 0;
    const done = operations.filter((one) => one.seconds_left === undefined).toReversed();
    const cards = done.map((one) => this.#about(newElement("article", ""), one));
    byId("done", HTMLElement).replaceChildren(...cards);
  }

  #newCard(operation: ListedOperation): HTMLElement {
    const card = this.#template.firstElementChild!.cloneNode(true) as HTMLElement;
    const word = card.querySelector<HTMLInputElement>("[name=word]")!;
    if (operation.challenge === undefined) word.parentElement!.remove();
    card.querySelector("form")!.addEventListener("submit", (event) => {
      event.preventDefault();
      const what = (event.submitter as HTMLButtonElement).value;
      const { approval_id, readback_digest } = operation;
      const yes = { readback_heard: true, readback_digest, challenge: word.value };
      void this.#answer(`${encodeURIComponent(approval_id)}/${what}`, what === "approve" ? yes : {});
    });
    byId("waiting", HTMLElement).append(this.#about(card, operation));
    this.#cards.set(idOf(operation), card);
    return card;
  }

  #about(card: HTMLElement, operation: ListedOperation): HTMLElement {
    const { approved_by: names, asked_of: name, description, number, reason } = operation;
    const { strings } = this;
    const who = [filled(strings.asked_of, { name })];
    if (names.length > 0) who.push(filled(strings.approved_by, { names: names.join(", ") }));
    if (reason !== undefined) who.push(`${strings.outcome_skipped}: ${reason}`);
    const heading = newElement("h3", `${number} · ${description}`);
    card.prepend(heading, ...operationParts(operation, strings), newElement("p", who.join(" · ")));
    return card;
  }

  async #answer(path: string, how: object): Promise<void> {
    this.#status.textContent = "";
    await this.#do(() => this.#call(`/api/ai/approvals/${path}`, { ...this.#who!.person, ...how }));
    await this.#do(() => this.#refresh());
  }

  /** The reply's JSON. Rejects with `Refused`, and with whatever the browser says. */
  async #call(path: string, body?: object): Promise<unknown> {
    const { key } = this.#who!;
    const authorization = key !== "" && { authorization: `Bearer ${key}` };
    const headers = { "content-type": "application/json", ...authorization };
    const post = body && { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(path, { headers, signal: AbortSignal.timeout(REQUEST_MS_MAX), ...post });
    const reply = (await response.json()) as { readonly error?: { readonly why?: string } };
    if (response.ok) return reply;
    const why = reply.error?.why;
    if (why !== undefined) throw new Refused(filled(this.strings.not_counted, { why }));
    throw new Refused(response.status < 404 ? this.strings.not_allowed : this.strings.failed);
  }

  async #do(what: () => Promise<unknown>): Promise<void> {
    try {
      await what();
    } catch (error) {
      this.#status.textContent = error instanceof Refused ? error.message : this.strings.failed;
    }
  }
}

/** Another proposal is another card. */
function idOf({ approval_id, readback_digest, status }: ListedOperation): string {
  return `${approval_id} ${readback_digest} ${status}`;
}

const strings = await loadStrings<OperationsStrings>("/operations/assets/strings.json");
const language = languageFor(navigator.languages, Object.keys(strings));
document.documentElement.lang = language;
new OperationsPage(strings[language]!).begin();
