/**
 * The answers that went to callers who keep their conversations themselves. When such an answer comes back in a history,
 * or is named, it is known for ours, with its sources. In memory only, for a while, as many as there is room for; and
 * known to nobody but the user it went to, with the groups and the kiosk flag that it was asked with. Whether its
 * documents may be read now is for the turn to find out, as with what a chat remembers.
 */
import { createHash } from "node:crypto";
import type { Answer } from "../domain/answer.js";
import type { SourceRef } from "../domain/source-ref.js";
import { type HistoryEntry, isKiosk } from "../domain/turn.js";
import type { Clock } from "../lib/clock.js";
import { Holders } from "../lib/holders.js";
import { currentOrigin } from "../lib/origin.js";
import { accessFingerprint } from "../retrieval/access.js";
import type { Identity } from "./claims.js";

/** Answers that are kept, and characters of all of them together and of one, passages included. */
export const GIVEN_MAX = 2_000;
export const GIVEN_CHARS_MAX = 16_000_000;
export const GIVEN_ANSWER_CHARS_MAX = 400_000;

/** How long an answer is kept since it was given or came back: a long shift. */
export const GIVEN_MS_MAX = 12 * 3_600_000;

/** A line that is longer than any answer is not looked for. */
const LINE_CHARS_MAX = 50_000;

/** One side of a conversation, as its caller keeps it. */
export interface SaidBefore {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export interface GivenAnswer {
  readonly answer: Answer;
  /** Its text, as far as the caller was told it. */
  readonly told: string;
  /** Everything that had a part in it. */
  readonly sources: readonly SourceRef[];
  /** What the caller may name it by, and what had been said when it was given, the question last; absent: nothing. */
  readonly named?: { readonly name: string; readonly conversation: readonly SaidBefore[] } | undefined;
}

interface IssuedAnswer {
  readonly entry: HistoryEntry;
  /** With the answer itself as the last line. */
  readonly conversation: readonly SaidBefore[];
  readonly keys: readonly string[];
  readonly holder: string;
  readonly characters: number;
  usedMs: number;
}

export class GivenAnswers {
  readonly #byKey = new Map<string, IssuedAnswer>();
  /** The one that was used last at the end. */
  readonly #inOrder = new Set<IssuedAnswer>();
  /** By peer: who has most gives way. */
  readonly #holders = new Holders<IssuedAnswer>();
  #characters = 0;

  constructor(private readonly clock: Clock) {}

  keep(identity: Identity, { answer, named, sources, told }: GivenAnswer): void {
    const entry = { role: "assistant", text: told, sources, answer } as const;
    const conversation = named && [...named.conversation, { role: entry.role, text: entry.text }];
    const characters = JSON.stringify([entry, conversation]).length;
    if (told.trim() === "" || characters > GIVEN_ANSWER_CHARS_MAX) return;
    const keys = [textKey(identity, told), ...(named ? [nameKey(identity, named.name)] : [])];
    const [holder] = currentOrigin();
    const given = { entry, conversation: conversation ?? [], keys, holder, characters, usedMs: 0 };
    for (const key of keys) this.#byKey.set(key, given);
    this.#characters += characters;
    this.#use(given);
    this.#makeRoom();
  }

  /** The answer of ours that `text` is, blanks aside. */
  recognise(identity: Identity, text: string): HistoryEntry | undefined {
    return text.length > LINE_CHARS_MAX ? undefined : this.#find(textKey(identity, text))?.entry;
  }

  /** What was said up to the answer of this name, which is the last line. */
  conversation(identity: Identity, name: string): readonly SaidBefore[] | undefined {
    return this.#find(nameKey(identity, name))?.conversation;
  }

  #find(key: string): IssuedAnswer | undefined {
    const given = this.#byKey.get(key);
    if (given === undefined) return undefined;
    if (this.#isOver(given)) {
      this.#forget(given);
      return undefined;
    }
    this.#use(given);
    return given;
  }

  #use(given: IssuedAnswer): void {
    given.usedMs = this.clock.monotonic();
    this.#inOrder.delete(given);
    this.#inOrder.add(given);
    this.#holders.use(given.holder, given);
  }

  #isOver({ usedMs }: IssuedAnswer): boolean {
    return this.clock.monotonic() - usedMs > GIVEN_MS_MAX;
  }

  #makeRoom(): void {
    for (const oldest of this.#inOrder) {
      if (!this.#isOver(oldest)) break;
      this.#forget(oldest);
    }
    while (this.#inOrder.size > GIVEN_MAX || this.#characters > GIVEN_CHARS_MAX)
      this.#forget(this.#holders.oldestOf(this.#holders.largest())!);
  }

  #forget(given: IssuedAnswer): void {
    this.#inOrder.delete(given);
    this.#holders.drop(given.holder, given);
    this.#characters -= given.characters;
    // The same words may have been given again since.
    for (const key of given.keys) if (this.#byKey.get(key) === given) this.#byKey.delete(key);
  }
}

/** Clients trim what they were sent, and put pieces together with blanks of their own. */
function textKey(identity: Identity, text: string): string {
  return keyOf(identity, "text", text.normalize("NFC").replace(/\s+/g, ""));
}

function nameKey(identity: Identity, name: string): string {
  return keyOf(identity, "name", name);
}

function keyOf({ features, groups, user }: Identity, kind: "text" | "name", what: string): string {
  const reader = accessFingerprint({ ...user, groups, kiosk: isKiosk(features) });
  return createHash("sha256").update(`${reader} ${kind} ${what}`).digest("base64");
}
