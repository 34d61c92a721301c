/** `readback guide runs`: what became of the runs of guides, and where they stumble. */
import { loadConfig } from "../config/load.js";
import { runHtml } from "../guide/exchange/run-page.js";
import { isWeak, type StepRecord, weakSteps } from "../guide/run/weak-steps.js";
import { opened } from "../guide/runner.js";
import { columns } from "../lib/columns.js";
import { grouped } from "../lib/grouped.js";
import { writePrivateFile } from "../lib/private-files.js";
import { UsageProblem } from "../lib/usage-problem.js";
import { openGuideRuns } from "../store/embedded-guide-runs.js";
import type { GuideRuns, StoredGuideRun } from "../store/guide-runs.js";
import { complain, say, sayJson } from "./output.js";
import { ownNetwork } from "./own-network.js";

export interface RunsOptions {
  readonly network?: string;
  readonly json?: true;
  readonly page?: string;
  readonly out?: string;
}

/** Runs that are looked through, the newest. */
const RUNS_MAX = 1_000;

export async function guideRuns(guide: string | undefined, options: RunsOptions): Promise<void> {
  const { config } = loadConfig();
  const network = options.network ?? ownNetwork(config);
  const runs = await openGuideRuns(config.dataDir);
  try {
    if (options.page !== undefined) await writePage(runs, network, options.page, options.out);
    else tell(await runs.list({ network, guide, limit: RUNS_MAX }), options.json === true);
  } finally {
    await runs.close();
  }
}

async function writePage(runs: GuideRuns, network: string, id: string, out = `${id}.html`): Promise<void> {
  const stored = await runs.byId(network, id);
  if (stored === undefined)
    throw new UsageProblem(`${network} has no run ${id}; readback guide runs lists those it has`);
  const { index, run } = opened(stored);
  await writePrivateFile(out, runHtml(index.guide, run, [["Run", id]]));
  complain(`Written to ${out}.`);
}

function tell(runs: readonly StoredGuideRun[], json: boolean): void {
  const guides = [...grouped(runs, ({ guide, version }) => `${guide}, version ${version}`).values()].map(
    summary,
  );
  if (json) return sayJson(guides.map((one) => ({ ...one, runs: one.runs.map(({ id }) => id) })));
  if (guides.length === 0) return complain("No runs are kept.");
  for (const { done, guide, quit, runs: own, steps, version } of guides) {
    say(`${guide}, version ${version}: ${own.length} runs, ${done} finished, ${quit} ended early.`);
    const [weakest] = steps;
    if (weakest !== undefined && isWeak(weakest)) say(`  The weak step is ${weakest.step}.`);
    say(...columns([HEADS, ...steps.slice(0, STEPS_TOLD).map(cellsOf)]).map((line) => `  ${line}`));
    say(...own.slice(0, STEPS_TOLD).map((one) => `  ${one.id}  ${one.status}  ${one.user}`));
  }
}

/** What became of the runs of one version of a guide. */
function summary(runs: readonly StoredGuideRun[]) {
  const all = runs.map(opened);
  const { guide } = all[0]!.index;
  const count = (status: string) => runs.filter((one) => one.status === status).length;
  const steps = weakSteps(
    guide,
    all.map(({ run }) => run),
  );
  return { guide: guide.id, version: guide.version, runs, done: count("done"), quit: count("quit"), steps };
}

/** Steps and runs of one guide that are told; `--json` has all. */
const STEPS_TOLD = 5;
const HEADS = ["step", "visits", "failures", "helps", "minutes", "of its estimate"];

function cellsOf({ failures, helps, minutes, ofEstimate, step, visits }: StepRecord): readonly string[] {
  const share = ofEstimate === undefined ? "" : `${Math.round(ofEstimate * 100)} %`;
  return [step, `${visits}`, `${failures}`, `${helps}`, minutes.toFixed(1), share];
}
