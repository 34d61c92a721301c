/** Judges sentences by what was read from the systems of a site: all that a sentence claims of them has to be so. */
import type { Steps } from "../../lib/steps.js";
import type { SentenceContext } from "../check/check.js";
import type { Checker, Conclusion, DraftedSentence, DraftSoFar, Judgement } from "../checker.js";
import type { EvidenceEvent } from "../evidence-event.js";
import type { SystemState, ToolReading } from "../readings/facts.js";
import { checkInSteps, type SiteFacts, siteInSteps, uncertaintyOf, worst } from "../readings/readings.js";

export class ReadingsChecker implements Checker {
  #state: SystemState | undefined;
  /** Each with the time since when its age counts. */
  #tools: readonly (ToolReading & { readonly takenAtMs: number })[] = [];
  #site: SiteFacts | undefined;

  /** `nowMs`: the wall clock, in Unix milliseconds. */
  constructor(private readonly nowMs: () => number) {}

  *add(event: EvidenceEvent): Steps<void> {
    if (event.type !== "readings") return;
    yield;
    const nowMs = this.nowMs();
    this.#state = { ...this.#state, ...event.state };
    this.#tools = [...this.#tools, ...event.tools.map((one) => ({ ...one, takenAtMs: nowMs - one.ageMs }))];
    this.#site = undefined;
  }

  *#siteFor(user: string): Steps<SiteFacts> {
    if (this.#site?.user === user) return this.#site;
    const nowMs = this.nowMs();
    const tools = this.#tools.map((one) => ({ ...one, ageMs: nowMs - one.takenAtMs }));
    const sinceMs = () => this.nowMs() - nowMs;
    const state = this.#state;
    this.#site = yield* siteInSteps({ tools, user, nowMs, sinceMs, ...(state && { state }) });
    return this.#site;
  }

  *check({ says, text }: DraftedSentence, context: SentenceContext): Steps<Judgement | undefined> {
    if (this.#state === undefined || says !== undefined) return undefined;
    const { question, said } = context;
    const site = yield* this.#siteFor(question);
    const { claims } = yield* checkInSteps(text, site, said);
    const verdict = worst(claims);
    if (verdict === "no_claim") return undefined;
    const nowMs = this.nowMs();
    const [doubt] = claims.flatMap((claim) => uncertaintyOf(claim, this.#tools));
    return {
      role: "claim",
      verdict: verdict === "conflicting" ? "unsupported" : verdict,
      evidence: claims
        .flatMap(({ evidence }) => evidence)
        .map((one) => (one.ageMs === undefined ? one : { ...one, takenAtMs: nowMs - one.ageMs })),
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
