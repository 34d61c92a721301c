/**
 * The tools that change the plant. Each takes an idempotency key: the same key with the same request is answered as the
 * first time, and nothing is done again.
 */
import { z } from "zod";
import { type Action, KINDS, type Thing } from "./plant.js";
import { iso, PARTS, type PlantView, signalsOf } from "./plant-view.js";
import type { Change } from "./simulation.js";
import type { State } from "./state.js";
import type { PlantTool } from "./tool.js";

const { text, timed } = PARTS;
const input = z.object({
  target: text.max(100).describe("Address of a thing, as list_resources tells it."),
  idempotency_key: text.min(1).max(200).optional().describe("One effect for each key."),
});
const output = z.object({
  target: text,
  operation: text,
  accepted: z.boolean(),
  repeated: z.boolean().describe("Whether the key had been used: nothing was done now."),
  ...timed,
  effective_at: text.describe("When it has its effect, ISO 8601."),
});

const withValue = input.extend({ value: z.number().describe("In the unit of the set point.") });

type Reply = z.infer<typeof output>;
type Request = z.infer<typeof input>;
/** What a tool does to the state; throws where the thing does not take it. */
type Effect = (state: State, atMs: number) => void;

export function actingTools(view: PlantView): readonly PlantTool[] {
  const tool = <In extends typeof input>(
    [name, description]: readonly [name: string, description: string],
    destructiveHint: boolean,
    input: In,
    effect: (args: z.infer<In>, thing: Thing) => Effect,
  ): PlantTool => {
    const annotations = { readOnlyHint: false, destructiveHint, openWorldHint: false };
    const answer = (raw: Record<string, unknown>) => {
      const args = input.parse(raw) as z.infer<In>;
      return perform(view, name, args, effect(args, view.find(args.target)));
    };
    return { name, description, annotations, input, output, answer };
  };
  const act = (action: Action, what: Partial<Change>) => (_: Request, thing: Thing) =>
    moved(view, thing, action, what);
  return [
    tool(["start", "Starts a machine that is stopped."], false, input, act("start", { mode: "on" })),
    tool(["stop", "Stops a machine."], true, input, act("stop", { mode: "stopped" })),
    tool(["restart", "Restarts a thing; clears a fault."], true, input, act("restart", { mode: "on" })),
    tool(["drain", "Drains a tank; its content is lost."], true, input, act("drain", { mode: "empty" })),
    tool(["update_container", "Updates a container, and restarts it."], true, input, (_, thing) =>
      moved(view, thing, "update", { version: thing.software?.latest ?? "" }),
    ),
    tool(["acknowledge_alarm", "Acknowledges its alarms."], false, input, (_, thing) => (state, atMs) => {
      for (const { id } of view.alarms(thing)) state.acknowledged[id] = atMs;
    }),
    tool(["set_point", "Sets the set point of a machine."], false, withValue, ({ value }, thing) => {
      const { range, unit } = signalsOf(thing).find(({ range }) => range !== undefined) ?? {};
      if (range !== undefined && (value < range[0] || value > range[1]))
        throw new Error(`EXECUTION_FAILED: it takes ${range.join(" to ")} ${unit}`);
      return moved(view, thing, "set_point", { set_point: value });
    }),
  ];
}

function moved(view: PlantView, thing: Thing, action: Action, what: Partial<Change>): Effect {
  return (state, atMs) => {
    if (!KINDS[thing.kind]?.actions.includes(action))
      throw new Error(`EXECUTION_FAILED: ${thing.name} takes no ${action}`);
    const { action: _, ...last } = view.store.course(thing).at(-1) ?? { mode: "on" };
    if (last.mode === "fault" && action !== "restart")
      throw new Error(`EXECUTION_FAILED: ${thing.name} is in fault; mend it, then restart it`);
    // What is as it shall be stays as it is: starting what runs has no effect.
    if ((action === "start" || action === "stop") && last.mode === what.mode) return;
    const next: Change = { ...last, ...what, action, at_ms: atMs };
    state.changes[thing.address] = [...(state.changes[thing.address] ?? []), next];
  };
}

/** Has the effect once for each key; the reply is given when it is on the disk. */
function perform(view: PlantView, operation: string, args: Request, effect: Effect): Reply {
  const { idempotency_key: key, ...rest } = args;
  view.store.note(`${operation} ${args.target} ${key ?? ""}`);
  const request = JSON.stringify([operation, rest]);
  const { operations } = view.store.state;
  const known = key !== undefined && Object.hasOwn(operations, key) ? operations[key] : undefined;
  if (known !== undefined) {
    if (known.request !== request) throw new Error("EXECUTION_FAILED: the key was used for something else");
    return { ...output.parse(known.reply), repeated: true };
  }
  if (view.faults.has("refuse", operation))
    throw new Error(`EXECUTION_FAILED: ${operation} is not taken now`);
  const atMs = view.clock();
  const [taken_at, effective_at] = [iso(atMs), iso(atMs + view.laws.rampMs)];
  const reply = { target: args.target, operation, accepted: true, repeated: false, taken_at, effective_at };
  view.store.update((state) => {
    if (!view.faults.has("no_effect", operation)) effect(state, atMs);
    if (key !== undefined) state.operations[key] = { request, reply };
  });
  return reply;
}
