/**
 * What single facts say of a claim, and the decision when several do: what changes at any time needs a fresh reading
 * of a tool, the newest reading counts, and readings of one age that disagree decide nothing.
 */
import type { Evidence, Reason, ReasonCode } from "../../domain/answer.js";
import type { Fact, FactOrigin, MemberList } from "./facts.js";
import type { Relation } from "./vocabulary.js";

/** What one fact, or one list, says of one part of a claim. */
export interface FactFinding {
  readonly relation: Relation;
  readonly origin: FactOrigin;
  readonly evidence: Evidence;
  /** Why it speaks against the claim. */
  readonly reason: Reason;
}

/** What all facts together say of one part of a claim; `open` when none tells. */
export interface PartResult {
  readonly relation: Relation;
  readonly evidence: readonly Evidence[];
  readonly reasons: readonly Reason[];
}

/** A part of a clause that was checked, and where it stands. */
export interface CheckedSpan {
  readonly start: number;
  readonly end: number;
  readonly result: PartResult;
}

/** A reading of what changes at any time is believed for so long. */
export const FRESH_AGE_MAX_MS = 300_000;

/** What a source says of what is `said`; a truth value says that it is so, or is not. `shown`: its own words. */
export function told(
  source: Fact | MemberList,
  relation: Relation | boolean,
  code: ReasonCode,
  said: string,
  shown = shownOf(source),
): FactFinding {
  const { origin, path } = source;
  const [ageMs, isState] = [origin.ageMs(), origin.type === "system_state"];
  const evidence: Evidence = {
    type: origin.type,
    source: isState ? ["state", ...path].join(".") : origin.name,
    value: isState ? shown : `${path.at(-1) ?? "result"}=${shown}`,
    ...(ageMs !== undefined && { ageMs, takenAtMs: origin.takenAtMs! }),
  };
  const relates = typeof relation === "string" ? relation : relation ? "same" : "opposed";
  const reason = { code, text: `says ${said}, ${valueAt(evidence)}` };
  return { relation: relates, origin, evidence, reason };
}

const NAMES_SHOWN_MAX = 10;

function shownOf(source: Fact | MemberList): string {
  if ("value" in source) return String(source.value);
  const names = source.members.slice(0, NAMES_SHOWN_MAX).map(({ thing }) => thing.label);
  const more = source.members.length - names.length;
  return `[${names.join(", ")}]${more > 0 ? ` and ${more} more` : ""}`;
}

function valueAt({ source, value }: Evidence): string {
  return `${source} has ${value}`;
}

/** Nothing tells. */
export function unknown(code: ReasonCode, text: string): PartResult {
  return { relation: "open", evidence: [], reasons: [{ code, text }] };
}

/** `volatile`: only a fresh reading of a tool can tell. `nothing`: what it comes to when no finding tells. */
export function decide(findings: readonly FactFinding[], volatile: boolean, nothing: PartResult): PartResult {
  const telling = findings.filter(({ relation }) => relation !== "open");
  const usable = volatile ? telling.filter(({ origin }) => isFresh(origin)) : telling;
  const [stale] = telling;
  if (stale === undefined) return nothing;
  if (usable.length === 0) return { ...unknown("stale", staleness(stale)), evidence: [stale.evidence] };
  const takenAtMs = ({ origin }: FactFinding) => origin.takenAtMs ?? Number.NEGATIVE_INFINITY;
  const newestMs = Math.max(...usable.map(takenAtMs));
  const newest = usable.filter((finding) => takenAtMs(finding) === newestMs);
  const { relation } = newest[0]!;
  const other = newest.find((finding) => finding.relation !== relation);
  if (other !== undefined) {
    const text = `readings of the same age disagree: ${[newest[0]!, other].map((one) => valueAt(one.evidence)).join(", and ")}`;
    return { ...unknown("readings_disagree", text), evidence: evidenceOf(newest) };
  }
  const older = usable.find((finding) => finding.relation !== relation);
  const reasons = relation === "same" ? [] : [newest[0]!.reason];
  if (older !== undefined)
    reasons.push({ code: "readings_disagree", text: `an older reading differs: ${valueAt(older.evidence)}` });
  return { relation, evidence: evidenceOf(newest), reasons };
}

function isFresh({ ageMs, type }: FactOrigin): boolean {
  return type === "tool_output" && ageMs()! <= FRESH_AGE_MAX_MS;
}

function evidenceOf(findings: readonly FactFinding[]): readonly Evidence[] {
  return [...new Map(findings.map(({ evidence }) => [valueAt(evidence), evidence])).values()];
}

function staleness({ evidence: { ageMs = 0, source }, origin }: FactFinding): string {
  return origin.type === "system_state"
    ? `changes at any time, and ${source} is only a snapshot`
    : `the reading of ${source} is ${Math.round(ageMs / 1_000)} s old`;
}
