/** What the documents that a user may read allow of a value of the site: searched while the value is read. */
import { isAllowed, ruleFor } from "../grounding/document-rules.js";
import { trusted } from "../grounding/injection.js";
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import type { RuleBook } from "../operate/check.js";
import { type Retrieval, SearchUnavailable } from "../retrieval/port.js";
import type { Telemetry } from "../telemetry/events.js";

/** For one search, in milliseconds. A rule that comes later is left out. */
export const RULE_MS_MAX = 500;
/** Passages that are looked through for a rule. */
const RULE_PASSAGES_MAX = 8;

export interface DocumentRulesDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly retrieval: Pick<Retrieval, "search">;
}

export function createDocumentRules({ clock, retrieval, telemetry }: DocumentRulesDeps): RuleBook {
  return {
    async about({ kind, names }, signal, { access, locale }, abort) {
      const own = signal.replaceAll("_", " ");
      const signals = [...new Set([own, locale.group("signal")[signal.replaceAll("_", "")] ?? own])];
      const query = [names[0], ...signals].join(" ");
      const asked = { query, access, limit: RULE_PASSAGES_MAX };
      const passages = await withDeadline(clock, "the look for a rule", RULE_MS_MAX, abort, (within) =>
        retrieval.search(asked, within),
      ).catch((error: unknown) => {
        const isOutage = error instanceof DeadlineExceeded || error instanceof SearchUnavailable;
        if (!isOutage && !abort.aborted)
          telemetry.emit({ type: "service_fault", where: "the look for a rule", error: String(error) });
        return [];
      });
      return (reading) => {
        const { value } = reading;
        if (reading.signal !== signal || typeof value !== "number") return undefined;
        const rule = ruleFor(passages, { names, kind, signals }, reading);
        const passage = passages.find(({ chunkId }) => chunkId === rule?.chunk);
        if (rule === undefined || passage === undefined) return undefined;
        return { rule, passage, title: trusted(passage).title, isAllowed: isAllowed(rule, value) };
      };
    },
  };
}
