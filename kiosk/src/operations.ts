/** The page at `/operations`: what waits for consent and what was done, for who holds a key with the role `approve`. */
import { byId, newElement } from "./dom.js";
import { filled, operationParts } from "./operation.js";
import type { Operation } from "./state.js";
import { languageFor, loadStrings, type OperationsStrings } from "./strings.js";

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
  readonly #waiting = byId("waiting", HTMLElement);
  /** Those that wait, each with what tells its time. */
  readonly #cards = new Map<string, { readonly card: HTMLElement; readonly left: HTMLElement }>();
  #touchedMs = performance.now();
  /** Undefined until somebody said who they are. */
  #who: { readonly key: string; readonly person: Readonly<Record<string, string>> } | undefined;

  constructor(private readonly strings: OperationsStrings) {}

  begin(): void {
    for (const element of document.querySelectorAll<HTMLElement>("[data-string]"))
      element.textContent = this.strings[element.dataset.string as keyof OperationsStrings];
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
      if (isPaused) this.#say(this.strings.paused);
      else if (this.#status.textContent === this.strings.paused) this.#say("");
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
    for (const [id, { card }] of this.#cards)
      if (!waiting.some((one) => idOf(one) === id) && this.#cards.delete(id)) card.remove();
    for (const one of waiting) this.#showWaiting(one);
    byId("nothing", HTMLElement).hidden = waiting.length > 0;
    const done = operations.filter((one) => one.seconds_left === undefined).toReversed();
    byId("done", HTMLElement).replaceChildren(...done.map((one) => article(this.#about(one))));
  }

  /** A card stays as it is while it waits, with what was typed into it. */
  #showWaiting(operation: ListedOperation): void {
    const { left } = this.#cards.get(idOf(operation)) ?? this.#newCard(operation);
    left.textContent = filled(this.strings.seconds_left, { seconds: operation.seconds_left ?? 0 });
  }

  #newCard(operation: ListedOperation) {
    const { strings } = this;
    const form = document.createElement("form");
    const read = Object.assign(document.createElement("input"), { type: "checkbox", required: true });
    const word = Object.assign(document.createElement("input"), { autocomplete: "off", required: true });
    const deny = Object.assign(newElement("button", strings.deny), { type: "button" });
    const approve = Object.assign(newElement("button", strings.approve), { className: "primary" });
    const fields = [labelled(strings.confirm_read, read)];
    if (operation.challenge !== undefined) fields.push(labelled(strings.word, word));
    form.append(...fields, approve, deny);
    const yes = { readback_heard: true, readback_digest: operation.readback_digest };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const challenge = operation.challenge === undefined ? {} : { challenge: word.value };
      void this.#answer(operation, "approve", { ...yes, ...challenge });
    });
    deny.addEventListener("click", () => void this.#answer(operation, "deny", {}));
    const left = newElement("p", "");
    const card = article([...this.#about(operation), left, form]);
    this.#waiting.append(card);
    const shown = { card, left };
    this.#cards.set(idOf(operation), shown);
    return shown;
  }

  #about(operation: ListedOperation): HTMLElement[] {
    const { approved_by: names, asked_of: name, description, number, reason } = operation;
    const { strings } = this;
    const who = [filled(strings.asked_of, { name })];
    if (names.length > 0) who.push(filled(strings.approved_by, { names: names.join(", ") }));
    if (reason !== undefined) who.push(`${strings.outcome_skipped}: ${reason}`);
    const heading = newElement("h3", `${number} · ${description}`);
    return [heading, ...operationParts(operation, strings), newElement("p", who.join(" · "))];
  }

  async #answer({ approval_id: id }: ListedOperation, what: "approve" | "deny", how: object): Promise<void> {
    this.#say("");
    await this.#do(async () => {
      await this.#call(`/api/ai/approvals/${encodeURIComponent(id)}/${what}`, {
        ...this.#who!.person,
        ...how,
      });
    });
    await this.#do(() => this.#refresh());
  }

  /** The reply's JSON. Rejects with `Refused`, and with whatever the browser says. */
  async #call(path: string, body?: object): Promise<unknown> {
    const { key } = this.#who!;
    const headers = {
      "content-type": "application/json",
      ...(key !== "" && { authorization: `Bearer ${key}` }),
    };
    const signal = AbortSignal.timeout(REQUEST_MS_MAX);
    const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(path, { headers, signal, ...post });
    const reply = (await response.json()) as { readonly error?: { readonly why?: string } };
    if (response.ok) return reply;
    const why = reply.error?.why;
    if (why !== undefined) throw new Refused(filled(this.strings.not_counted, { why }));
    throw new Refused(response.status < 404 ? this.strings.not_allowed : this.strings.failed);
  }

  async #do(what: () => Promise<void>): Promise<void> {
    try {
      await what();
    } catch (error) {
      this.#say(error instanceof Refused ? error.message : this.strings.failed);
    }
  }

  #say(text: string): void {
    this.#status.textContent = text;
  }
}

/** Another proposal is another card. */
function idOf({ approval_id, readback_digest, status }: ListedOperation): string {
  return `${approval_id} ${readback_digest} ${status}`;
}

function article(parts: readonly HTMLElement[]): HTMLElement {
  const card = document.createElement("article");
  card.append(...parts);
  return card;
}

function labelled(text: string, input: HTMLInputElement): HTMLLabelElement {
  const label = document.createElement("label");
  label.append(input, newElement("span", text));
  return label;
}

const strings = await loadStrings<OperationsStrings>("/operations/assets/strings.json");
const language = languageFor(navigator.languages, Object.keys(strings));
document.documentElement.lang = language;
new OperationsPage(strings[language]!).begin();
