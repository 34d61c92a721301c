/**
 * What single facts say of a claim, and the decision when several do: what changes at any time needs a fresh reading
 * of a tool, the newest reading counts, and readings of one age that disagree decide nothing.
 */
import type { Evidence, Reason } from "../../domain/answer.js";
import type { Fact, FactOrigin, MemberList } from "./facts.js";
import type { Relation } from "./vocabulary.js";

/** What one fact says of one part of a claim. */
export interface FactFinding {
  readonly relation: Relation;
  readonly origin: FactOrigin;
  readonly evidence: Evidence;
  /** Why it speaks against the claim. */
  readonly reason: Reason;
}

/** What all facts together say of one part of a claim; `unknown` when none does. */
export type PartResult =
  | {
      readonly type: "same" | "opposed";
      readonly evidence: readonly Evidence[];
      readonly reasons: readonly Reason[];
    }
  | { readonly type: "unknown"; readonly evidence: readonly Evidence[]; readonly reasons: readonly Reason[] };

/** `volatile`: only a fresh reading of a tool can tell. */
export function decide(findings: readonly FactFinding[], volatile: boolean, nothing: Reason): PartResult {
  const telling = findings.filter(({ relation }) => relation !== "open");
  const usable = volatile ? telling.filter(({ origin }) => origin.isFresh) : telling;
  if (usable.length === 0) {
    const stale = telling[0];
    if (stale === undefined) return { type: "unknown", evidence: [], reasons: [nothing] };
    return { type: "unknown", evidence: [stale.evidence], reasons: [staleReason(stale)] };
  }
  const ageOf = ({ origin }: FactFinding) => origin.ageMs ?? Number.POSITIVE_INFINITY;
  const youngest = Math.min(...usable.map(ageOf));
  const newest = usable.filter((finding) => ageOf(finding) === youngest);
  const [same, opposed] = [newest.filter(isSame), newest.filter((finding) => !isSame(finding))];
  if (same.length > 0 && opposed.length > 0)
    return {
      type: "unknown",
      evidence: evidenceOf(newest),
      reasons: [{ code: "readings_disagree", text: disagreement(same[0]!, opposed[0]!) }],
    };
  const older = usable.find((finding) => isSame(finding) !== same.length > 0);
  const doubt: readonly Reason[] =
    older === undefined
      ? []
      : [{ code: "readings_disagree", text: `an older reading differs: ${valueAt(older)}` }];
  return same.length > 0
    ? { type: "same", evidence: evidenceOf(same), reasons: doubt }
    : { type: "opposed", evidence: evidenceOf(opposed), reasons: [opposed[0]!.reason, ...doubt] };
}

function isSame({ relation }: FactFinding): boolean {
  return relation === "same";
}

function evidenceOf(findings: readonly FactFinding[]): readonly Evidence[] {
  const seen = new Set<string>();
  return findings
    .map(({ evidence }) => evidence)
    .filter(({ source, value }) => !seen.has(`${source}\n${value}`) && seen.add(`${source}\n${value}`));
}

function disagreement(one: FactFinding, other: FactFinding): string {
  return `readings of the same age disagree: ${valueAt(one)}, and ${valueAt(other)}`;
}

function valueAt({ evidence: { source, value } }: FactFinding): string {
  return `${source} has ${value}`;
}

function staleReason({ origin, evidence }: FactFinding): Reason {
  const text =
    origin.type === "system_state"
      ? `changes at any time, and ${evidence.source} is only a snapshot`
      : `the reading of ${evidence.source} is ${Math.round((origin.ageMs ?? 0) / 1_000)} s old`;
  return { code: "stale", text };
}

export function evidenceOfFact({ origin, path, value }: Fact): Evidence {
  return origin.type === "system_state"
    ? evidence(origin, ["state", ...path].join("."), String(value))
    : evidence(origin, origin.name, `${path.at(-1) ?? "result"}=${value}`);
}

/** `says` is what the list tells, such as `running: nginx, redis`. */
export function evidenceOfListing({ origin, path, members }: MemberList, says?: string): Evidence {
  const names = members.map(({ names }) => names[0] ?? "?").slice(0, NAMES_SHOWN_MAX);
  const more = members.length > NAMES_SHOWN_MAX ? ` and ${members.length - NAMES_SHOWN_MAX} more` : "";
  const list = says ?? `[${names.join(", ")}]${more}`;
  return origin.type === "system_state"
    ? evidence(origin, ["state", ...path].join("."), list)
    : evidence(origin, origin.name, `${path.at(-1) ?? "result"}=${list}`);
}

const NAMES_SHOWN_MAX = 10;

function evidence({ type, ageMs }: FactOrigin, source: string, value: string): Evidence {
  return { type, source, value, ...(ageMs === undefined ? {} : { ageMs }) };
}
