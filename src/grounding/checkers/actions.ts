/**
 * Judges sentences which say that something was done, is being done or will be done by us. One that was rendered from
 * statements about operations is judged by these, as values. No other is said, whoever wrote it, a model or a document in
 * the first person: what an operation came to is told by statements alone.
 */
import type { Evidence } from "../../domain/answer.js";
import type { OperationFact, OperationStatement } from "../../domain/operation.js";
import type { Steps } from "../../lib/steps.js";
import { actionClaim, isOrder } from "../actions/claims.js";
import type { SentenceContext } from "../check/check.js";
import type { Checker, Conclusion, DraftedSentence, DraftSoFar, Judgement } from "../checker.js";
import type { EvidenceEvent } from "../evidence-event.js";

export class ActionsChecker implements Checker {
  readonly #facts = new Map<string, OperationFact>();

  *add(event: EvidenceEvent): Steps<void> {
    if (event.type !== "operations") return;
    yield;
    for (const fact of event.facts) this.#facts.set(keyOf(fact), fact);
  }

  *check({ did, text }: DraftedSentence, { question }: SentenceContext): Steps<Judgement | undefined> {
    yield;
    if (did !== undefined)
      return judgement(
        did.flatMap((one) => this.#told(one) ?? []),
        did.length,
      );
    const claim = actionClaim(text, question);
    if (claim === undefined) return undefined;
    // "Done." may be the last step of a document; in answer to an order it is a claim.
    const isOpen = claim === "done" && !isOrder(question) && this.#facts.size === 0;
    const refused = judgement([], 1);
    return isOpen ? { ...refused, verdict: "unsupported" } : refused;
  }

  /** The fact that says the same. */
  #told(statement: OperationStatement): OperationFact | undefined {
    const fact = this.#facts.get(keyOf(statement));
    return fact?.action === statement.action && fact.outcome === statement.outcome ? fact : undefined;
  }

  *conclude({ held, judged }: DraftSoFar): Steps<Conclusion> {
    yield;
    const isBorneOut = judged.some(
      ({ by, judgement: { verdict } }) => by === this && verdict === "supported",
    );
    return {
      parts: held.filter(({ by }) => by === this),
      withheld: false,
      relevance: isBorneOut ? 1 : undefined,
    };
  }
}

function keyOf({ operation, target }: OperationStatement): string {
  return `${operation} ${target}`;
}

/** `count`: of so many facts all have to be there. */
function judgement(facts: readonly OperationFact[], count: number): Judgement {
  const isSupported = facts.length > 0 && facts.length === count;
  const reason = { code: "not_done", text: "no operation tells that this was done, or is" } as const;
  return {
    role: "claim",
    verdict: isSupported ? "supported" : "contradicted",
    evidence: facts.map(evidenceOf),
    reasons: isSupported ? [] : [reason],
    confidence: isSupported ? 1 : 0,
  };
}

function evidenceOf({ action, operation, outcome, target }: OperationFact): Evidence {
  return { type: "tool_output", source: operation, value: `${action} ${target}: ${outcome}` };
}
