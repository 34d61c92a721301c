/**
 * Judges sentences by what was read from the systems of a site: all that a sentence claims of them has to be so. One that
 * was rendered from statements is judged by these, and no other.
 */
import type { Reading } from "../../domain/reading.js";
import type { Steps } from "../../lib/steps.js";
import type { SentenceContext } from "../check/check.js";
import type {
  Checker,
  Conclusion,
  DraftedSentence,
  DraftSoFar,
  EvidenceEvent,
  Judgement,
} from "../checker.js";
import { claimsIn } from "../readings/claims.js";
import { SiteFacts } from "../readings/facts.js";
import { ReadingsCheck, uncertaintyOf, worst } from "../readings/readings.js";
import { judgeStatements } from "./statements.js";

export class ReadingsChecker implements Checker {
  readonly #site: SiteFacts;
  readonly #values: Reading[] = [];
  #isRead = false;

  /** `nowMs`: the wall clock, in Unix milliseconds. */
  constructor(nowMs: () => number) {
    this.#site = new SiteFacts(nowMs);
  }

  *add(event: EvidenceEvent): Steps<void> {
    if (event.type !== "readings") return;
    this.#isRead = true;
    this.#values.push(...(event.values ?? []));
    for (const tool of event.tools) yield* this.#site.addTool(tool);
  }

  *check(
    { did, rule, says, text }: DraftedSentence,
    { question, said }: SentenceContext,
  ): Steps<Judgement | undefined> {
    yield;
    if (says !== undefined) return judgeStatements(says, this.#values);
    if (!this.#isRead || did !== undefined || rule !== undefined) return undefined;
    const check = new ReadingsCheck(this.#site, question);
    const claims = yield* check.claims(claimsIn(text, question), said);
    const verdict = worst(claims);
    if (verdict === "no_claim") return undefined;
    const [doubt] = claims.flatMap(uncertaintyOf);
    return {
      role: "claim",
      verdict: verdict === "conflicting" ? "unsupported" : verdict,
      evidence: claims.flatMap(({ evidence }) => evidence),
      reasons: claims.flatMap(({ reasons }) => reasons),
      confidence: Math.min(...claims.map(({ confidence }) => confidence)),
      ...(doubt && { doubt }),
    };
  }

  *conclude({ held, judged }: DraftSoFar): Steps<Conclusion> {
    yield;
    const relevance = judged.some(({ by }) => by === this) ? 1 : undefined;
    return { parts: held.filter(({ by }) => by === this), withheld: false, relevance };
  }
}
