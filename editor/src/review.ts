/** What a review tells: what is in the way of publication, what is doubtful, and what the guide holds. */
import { el, openDialog } from "./dom.js";
import { say } from "./strings.js";

export interface Review {
  readonly counts: Readonly<Record<string, number>>;
  readonly variables: { readonly asked: readonly string[]; readonly recorded: readonly string[] };
  readonly blockers: readonly string[];
  readonly doubts: readonly string[];
}

export function openReview({ blockers, counts, doubts, variables }: Review): void {
  const kinds = Object.entries(counts).map(([kind, count]) => `${say(`kind_${kind}`)}: ${count}`);
  const values = [...variables.asked, ...variables.recorded];
  openDialog(
    say("review"),
    say("close"),
    el("p", { textContent: kinds.join(" · ") }),
    ...listOf("blockers", blockers),
    ...listOf("doubts", doubts),
    ...listOf("values", values),
  );
}

function listOf(name: string, lines: readonly string[]): readonly Node[] {
  const items = (lines.length > 0 ? lines : ["–"]).map((textContent) => el("li", { textContent }));
  return [el("h3", { textContent: say(name) }), el("ul", {}, ...items)];
}
