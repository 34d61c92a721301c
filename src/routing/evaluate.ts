/** How well a router does on labelled utterances, and whether one classifier does better than another. */
import { type Difference, pairedBootstrap } from "../retrieval/benchmark/bootstrap.js";
import type { LabelledUtterance } from "./labelled-data.js";
import type { Router } from "./router.js";

export interface RoutedRow {
  readonly row: LabelledUtterance;
  readonly route: string;
  readonly layer: string;
  readonly confidence: number;
  readonly right: boolean;
}

/** Each utterance on its own, as the first message of a chat with nothing attached. */
export async function routeAll(
  rows: readonly LabelledUtterance[],
  router: Router,
  signal: AbortSignal,
): Promise<readonly RoutedRow[]> {
  const user = { network: "evaluation", username: "evaluation" };
  const attached = { text: false, platform: false };
  const routed: RoutedRow[] = [];
  for (const row of rows) {
    const request = { user, turn: "evaluation", question: row.text, intents: [], attached };
    const { decision } = await router.route(request, signal);
    routed.push({ row, ...decision, right: decision.route.toLowerCase() === row.route.toLowerCase() });
  }
  return routed;
}

/** The share of rows of which something holds; 0 of none. */
export function share<T>(rows: readonly T[], holds: (row: T) => boolean): number {
  return rows.length === 0 ? 0 : rows.filter(holds).length / rows.length;
}

/** Whether a turn with this decision would have been put to the language model. */
export function needsModel({ layer, confidence }: RoutedRow, confidenceMin: number): boolean {
  return layer === "classifier" && confidence < confidenceMin;
}

export interface RouterComparison {
  readonly rows: number;
  readonly accuracy: readonly [number, number];
  readonly needModel: readonly [number, number];
  readonly byRoute: readonly {
    readonly route: string;
    readonly rows: number;
    readonly accuracy: readonly [number, number];
  }[];
  /** Rows of which both say the same. */
  readonly agreement: number;
  /** Of the accuracies, second minus first. */
  readonly difference: Difference;
  /** Of the second against the first. `not_shown`: the same, or better by no more than chance would bring. */
  readonly verdict: "better" | "not_shown" | "worse";
}

/**
 * Two routers on the same rows, which must be in the same order and not none. The second is worse as soon as it is
 * right less often, since what is put to use has to earn it; it is better when the 95% interval says so.
 */
export function compareRouted(
  first: readonly RoutedRow[],
  second: readonly RoutedRow[],
  confidenceMin: number,
): RouterComparison {
  const both = [first, second] as const;
  const right = both.map((rows) => rows.map((row) => Number(row.right))) as [number[], number[]];
  const difference = pairedBootstrap(right[1], right[0]);
  const routes = [...new Set(first.map(({ row }) => row.route))].sort();
  const pair = (of: (rows: readonly RoutedRow[]) => number) => [of(first), of(second)] as const;
  return {
    rows: first.length,
    accuracy: pair((rows) => share(rows, (row) => row.right)),
    needModel: pair((rows) => share(rows, (row) => needsModel(row, confidenceMin))),
    byRoute: routes.map((route) => ({
      route,
      rows: first.filter(({ row }) => row.route === route).length,
      accuracy: pair((rows) =>
        share(
          rows.filter(({ row }) => row.route === route),
          (row) => row.right,
        ),
      ),
    })),
    agreement: share([...first.keys()], (i) => first[i]!.route === second[i]!.route),
    difference,
    verdict: difference.mean < 0 ? "worse" : difference.low > 0 ? "better" : "not_shown",
  };
}
