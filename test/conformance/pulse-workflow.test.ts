/** The reading rows of Pulse's workflow and of what a user sees: by the loop, with a scripted model. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { seededRandom } from "../../src/lib/random.js";
import { CostCeiling } from "../../src/llm/cost-ceiling.js";
import { ModelFailure, type ModelReply } from "../../src/llm/port.js";
import { loadPrompts } from "../../src/llm/prompts.js";
import { isCircling, watched } from "../../src/operate/loop/call-watch.js";
import type { LoopTool } from "../../src/operate/loop/envelope.js";
import { lookUp, recalled, Writes, withFacts } from "../../src/operate/loop/fact-memory.js";
import { type LoopOutcome, LoopRun } from "../../src/operate/loop/loop.js";
import { ScriptedModel, usage } from "../support/fake-model.js";
import { expectTable, type TableRow } from "../support/table-rows.js";
import { VirtualClock } from "../support/virtual-clock.js";

interface Step {
  readonly op: string;
  readonly kind?: string;
  readonly state?: string;
  readonly read_after_write?: boolean;
  readonly blocked_count?: number;
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const workflow = read("pulse_fsm_cases.json") as {
  readonly scenarios: readonly { readonly id: string; readonly steps: readonly Step[] }[];
  readonly classification: readonly {
    readonly tool: string;
    readonly args: Readonly<Record<string, unknown>>;
    readonly kind: string;
    readonly label: string;
  }[];
};
const prompts = await loadPrompts();

/** Runs a script of replies; the tools of these names only read. */
async function run(script: readonly (ModelReply | Error)[], names: readonly string[], ran: string[] = []) {
  const clock = new VirtualClock();
  const model = new ScriptedModel(clock);
  for (const reply of script) model.expectReply(reply);
  const tools = names.map(
    (name): LoopTool => ({
      spec: { name, description: "Reads.", parameters: { type: "object", properties: {} } },
      source: `site.${name}`,
      plan: (args) => ({
        run: async () => {
          ran.push(name);
          return { ok: true, data: { [name]: args } };
        },
      }),
    }),
  );
  const limits = { attemptsMax: 1, delayMs: 1, delayMaxMs: 1 };
  const steps: string[] = [];
  const loop = new LoopRun(
    {
      ...{ messages: [], tools, network: "n" },
      giveUpAtMs: clock.monotonic() + 60_000,
      evidence: () => [],
      telemetry: { emit: () => {} },
    },
    {
      model: { model, clock, random: seededRandom(1), limits },
      outputTokensMax: 99,
      prompts,
      ceiling: new CostCeiling(
        () => undefined,
        () => 0,
      ),
      writes: new Writes(clock),
    },
    new AbortController().signal,
  ).run();
  let next = await loop.next();
  for (; next.done !== true; next = await loop.next()) steps.push(next.value.tool);
  const outcome = next.value;
  model.verify();
  return { outcome, steps, requests: model.requests, ran };
}

const calls = (...names: readonly string[]): ModelReply => ({
  calls: names.map((name, at) => ({ id: `c${at}`, name, arguments: `{"at":${at}}` })),
  text: "",
  usage,
});
const says = (text: string): ModelReply => ({ calls: [], text, usage });

/** The states of the table as the memory has them: what was read is known. */
function scenarioHolds(steps: readonly Step[]): boolean {
  const atMs = 1_000;
  let memory = recalled([], 0);
  let state = "RESOLVING";
  for (const { kind, op, state: wanted } of steps) {
    const fact = { key: "k", value: "up", call: "c", about: [], takenAtMs: atMs, maxAgeMs: 60_000 };
    if (op === "success" && kind !== "write") memory = withFacts(memory, [fact], atMs);
    if (op === "success") state = lookUp(memory, "k", atMs) === undefined ? "VERIFYING" : "READING";
    if (op === "expect" && wanted !== undefined && wanted !== state) return false;
    if (!["success", "expect"].includes(op)) return false;
  }
  return true;
}

const WRITES = "the states after a write are the machine of the acting half: nothing here writes";

it("holds the reading rows of the workflow", async () => {
  const scenarios = workflow.scenarios.map(({ id, steps }): TableRow => {
    if (id !== "fsm-19") return { id, holds: scenarioHolds(steps) };
    const made = (tool: string, at: number, code?: "FSM_BLOCKED") => ({
      ...watched(tool, { at }, `${at}`, 0),
      ...(code && { error: { code, message: "" } }),
    });
    const blocked = [1, 2].map((at) => made("pulse_control", at, "FSM_BLOCKED"));
    const other = [...blocked, made("pulse_docker", 3)];
    const [next, worked] = [made("pulse_control", 4), made("pulse_control", 5)];
    return { id, holds: isCircling(other, next) && !isCircling([...other, worked], next) };
  });
  const kinds = new Map<string, Set<string>>();
  for (const { kind, tool } of workflow.classification)
    kinds.set(tool, (kinds.get(tool) ?? new Set()).add(kind));
  // A tool is declared with one effect: the strictest of what it can do.
  const reading = [...kinds].flatMap(([tool, all]) =>
    [...all].every((kind) => ["read", "resolve"].includes(kind)) ? [tool] : [],
  );
  const classified = await Promise.all(
    workflow.classification.map(async ({ kind, label, tool }, at): Promise<TableRow> => {
      const { ran } = await run([calls(tool), says("Done.")], reading);
      return { id: `${at}: ${label}`, holds: (ran.length === 1) === ["read", "resolve"].includes(kind) };
    }),
  );
  expectTable("pulse_fsm_cases", [...scenarios, ...classified], {
    "fsm-03": WRITES,
    "fsm-05": WRITES,
    "fsm-07": WRITES,
    "fsm-09": WRITES,
    "fsm-13": WRITES,
    "fsm-17": WRITES,
    "12: pulse_kubernetes pods":
      "a tool that can act as well is declared as acting, whatever its arguments: no argument makes it a reading one",
  });
});

it("holds the reading rows of what a user sees", async () => {
  const rows: TableRow[] = [];
  const row = async (
    id: string,
    script: readonly (ModelReply | Error)[],
    holds: (of: Awaited<ReturnType<typeof run>>) => boolean,
  ) => rows.push({ id, holds: holds(await run(script, ["a", "b", "c"])) });
  const ended = ({ outcome }: { readonly outcome: LoopOutcome }) => [outcome.end, outcome.text].join(": ");
  await row(
    "il-01",
    [says("Which pump?"), calls("a"), says("It runs.")],
    (of) => ended(of) === "answered: It runs.",
  );
  await row(
    "il-03",
    [says("Which pump?"), says("Which pump?")],
    (of) => ended(of) === "answered: Which pump?",
  );
  await row(
    "il-11",
    [calls("a"), says("")],
    (of) => ended(of) === "silent: " && of.outcome.reads.length === 1,
  );
  await row("il-13", [calls("a"), new ModelFailure("cut", "x")], (of) => ended(of) === "model_failed: ");
  await row("il-15", [calls("a", "b", "c"), says("All run.")], ({ requests, steps }) => {
    const told = requests[1]!.messages.flatMap((one) => (one.role === "tool" ? [one.content] : []));
    return steps.length === 3 && told.map((text) => Object.keys(JSON.parse(text).data)[0]).join("") === "abc";
  });
  const elsewhere = ["il-05", "il-07", "il-09"].map((id) => ({ id, holds: false }));
  expectTable("pulse_interaction_cases", [...rows, ...elsewhere], {
    "il-05": "what is said while an answer is on its way is a turn of its own, and nothing is lost",
    "il-07": "what is said while an answer is on its way is a turn of its own, and no answer takes it in",
    "il-09": "a greeting takes its own route, and never comes to a loop with tools",
  });
  expect(rows.map(({ holds }) => holds)).not.toContain(false);
});
