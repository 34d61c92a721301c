/**
 * Judges sentences which say that something was done, is being done or will be done by us. One that was rendered from
 * statements about operations is judged by these, as values. No other is said, whoever wrote it, a model or a document in
 * the first person: what an operation came to is told by statements alone.
 */
import type { OperationStatement } from "../../domain/operation.js";
import type { Steps } from "../../lib/steps.js";
import { actionClaim, isOrder } from "../actions/claims.js";
import type { SentenceContext } from "../check/check.js";
import type {
  Checker,
  Conclusion,
  DraftedSentence,
  DraftSoFar,
  EvidenceEvent,
  Judgement,
} from "../checker.js";

const REFUSED: Judgement = {
  ...{ role: "claim", verdict: "contradicted", evidence: [], confidence: 0 },
  reasons: [{ code: "not_done", text: "no operation tells that this was done, or is" }],
};

export class ActionsChecker implements Checker {
  /** What operations tell of their targets now. */
  readonly #facts = new Map<string, OperationStatement>();

  *add(event: EvidenceEvent): Steps<void> {
    if (event.type !== "operations") return;
    yield;
    for (const fact of event.facts) this.#facts.set(keyOf(fact), fact);
  }

  *check({ did, text }: DraftedSentence, { question }: SentenceContext): Steps<Judgement | undefined> {
    yield;
    if (did !== undefined) return this.#judged(did);
    const claim = actionClaim(text, question);
    if (claim === undefined) return undefined;
    // "Done." may be the last step of a document; in answer to an order it is a claim.
    const isOpen = claim === "done" && !isOrder(question) && this.#facts.size === 0;
    return isOpen ? { ...REFUSED, verdict: "unsupported" } : REFUSED;
  }

  /** Each of them has to be what its operation tells. */
  #judged(did: readonly OperationStatement[]): Judgement {
    const isTold = (one: OperationStatement) => {
      const fact = this.#facts.get(keyOf(one));
      return fact?.action === one.action && fact.outcome === one.outcome;
    };
    if (did.length === 0 || !did.every(isTold)) return REFUSED;
    const evidence = did.map(({ action, operation, outcome, target }) => {
      return { type: "tool_output", source: operation, value: `${action} ${target}: ${outcome}` } as const;
    });
    return { role: "claim", verdict: "supported", evidence, reasons: [], confidence: 1 };
  }

  *conclude({ held, judged }: DraftSoFar): Steps<Conclusion> {
    yield;
    const isBorneOut = judged.some(({ by, judgement }) => by === this && judgement.verdict === "supported");
    const parts = held.filter(({ by }) => by === this);
    return { parts, withheld: false, relevance: isBorneOut ? 1 : undefined };
  }
}

function keyOf({ operation, target }: OperationStatement): string {
  return `${operation} ${target}`;
}
