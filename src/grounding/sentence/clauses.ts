/** Where the clauses of a sentence begin, and which of them are conditions. */

import { rowByWord, wordSet } from "../../lib/word-set.js";
import type { Token } from "../../words/tokens.js";
import type { WordInfo } from "./lexicon.js";

/** What a clause is to the sentence. `except` is "unless"; `only` is "only if", "only when". */
export type ClauseKind = "main" | "if" | "except" | "only" | "before" | "after" | "until" | "other";

export interface Clause {
  readonly kind: ClauseKind;
  /** Indices of tokens; `to` is behind the last. */
  readonly from: number;
  readonly to: number;
  /** Says that what it speaks of is forbidden or not allowed. */
  readonly forbids: boolean;
}

export function clausesOf(tokens: readonly Token[], infos: readonly WordInfo[]): Clause[] {
  if (tokens.length === 0) return [];
  const starts: { from: number; kind: ClauseKind }[] = [{ from: 0, kind: kindAt(tokens, 0) ?? "main" }];
  for (let at = 1; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.kind === "stop") {
      // "Do not … wait": a pause ends no denial, but a cell does.
      if ((infos[at - 1]!.negates && token.text !== ";") || tokens[at - 1]!.kind === "stop") continue;
      if (at + 1 < tokens.length && tokens[at + 1]!.kind !== "stop")
        starts.push({ from: at + 1, kind: kindAt(tokens, at + 1) ?? "main" });
      continue;
    }
    if (tokens[at - 1]!.kind === "stop") continue;
    const kind = kindAt(tokens, at);
    if (kind !== undefined && !(kind === "if" && tokens[at - 1]!.lower === "only"))
      starts.push({ from: at, kind });
    else if (BREAKS.has(token.lower) || (token.lower === "and" && startsOrder(tokens, infos, at + 1)))
      starts.push({ from: at + 1, kind: "main" });
  }
  // "Prohibited: PVC, vinyl": what a label forbids is what follows it.
  let isLabelled = false;
  let before = false;
  return starts.map(({ from, kind }, i) => {
    const to = starts[i + 1]?.from ?? tokens.length;
    const stop = tokens[from - 1]?.text;
    isLabelled = stop === ":" ? before && from <= LABEL_TOKENS_MAX : isLabelled && stop === ",";
    before = forbidsIn(tokens, infos, from, to);
    return { kind, from, to, forbids: before || isLabelled };
  });
}

const LABEL_TOKENS_MAX = 6;

/** "and call …": another instruction, which a denial of the first does not reach. */
function startsOrder(tokens: readonly Token[], infos: readonly WordInfo[], at: number): boolean {
  const verb = tokens[at]?.lower === "then" ? at + 1 : at;
  const next = tokens[verb + 1];
  if (infos[verb]?.action !== true || next === undefined || next.kind === "stop") return false;
  return !/^(?:and|or|is|are)$/.test(next.lower);
}

const BREAKS: ReadonlySet<string> = new Set(["but", "however", "whereas"]);

const CONJUNCTIONS = rowByWord<ClauseKind>({
  if: "if when whenever while",
  except: "unless except",
  before: "before",
  after: "after once",
  until: "until",
  other: "because since although though so",
});

function kindAt(tokens: readonly Token[], at: number): ClauseKind | undefined {
  const { lower } = tokens[at]!;
  const next = tokens[at + 1]?.lower;
  if (lower === "only" && (next === "if" || next === "when" || next === "after" || next === "with"))
    return "only";
  if (lower === "provided" || lower === "providing") return next === "that" ? "only" : undefined;
  if (lower === "as" && next === "soon" && tokens[at + 2]?.lower === "as") return "after";
  if (lower === "as" && next === "long" && tokens[at + 2]?.lower === "as") return "only";
  if (lower === "so" && next !== "that") return undefined;
  return CONJUNCTIONS.get(lower);
}

const ALLOWS = wordSet("allowed permitted allow permit authorized authorised acceptable");

function forbidsIn(tokens: readonly Token[], infos: readonly WordInfo[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const { lower } = tokens[at]!;
    const denied = at > from && (infos[at - 1]!.negates || (at - 1 > from && infos[at - 2]!.negates));
    if (infos[at]!.modality === "forbidden") return !denied;
    if (ALLOWS.has(lower) && infos[at]!.poles.length > 0 && denied) return true;
  }
  return false;
}
