/** From an order to calls that can be consented to: what is read now is frozen with them. */
import type { ConsentLevel, OperationCall, Postcondition } from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import { sameValue } from "../../grounding/checkers/statements.js";
import type { SiteWriter } from "../operations.js";
import { type CallDraft, strictest } from "./call.js";
import type { Order } from "./order.js";

export type FrozenOrder =
  | {
      readonly type: "frozen";
      readonly calls: readonly [OperationCall, ...OperationCall[]];
      /** What the strictest of the calls asks. */
      readonly level: ConsentLevel;
      /** Left out: they are as they were asked to be. */
      readonly already: readonly OperationCall[];
      /** What the calls and those that are left out read now. */
      readonly readings: readonly Reading[];
    }
  /** All of it is as it was asked to be: there is nothing to consent to. */
  | {
      readonly type: "already";
      readonly already: readonly OperationCall[];
      readonly readings: readonly Reading[];
    }
  /** How these are now cannot be read, so nobody could tell whether it changed. */
  | { readonly type: "unreadable"; readonly names: readonly string[] };

/**
 * Actions that ask for a state, and do nothing where it is so already: where it is, nothing is proposed. A restart asks for
 * more than a state, as may what only the settings name: these are proposed whatever is read.
 */
const STATE_ACTIONS: ReadonlySet<string> = new Set(
  "start stop switch_on switch_off open close lock unlock enable disable set drain fill update acknowledge".split(
    " ",
  ),
);

/** Reads what each call is to change. Rejects with the signal's reason only. */
export async function freeze(
  { action, drafts }: Extract<Order, { readonly type: "order" }>,
  writer: Pick<SiteWriter, "observe">,
  signal: AbortSignal,
): Promise<FrozenOrder> {
  const observed = await Promise.all(
    drafts.map(async (draft) => {
      const call = callOf(draft);
      return { call, draft, reading: await writer.observe(call, signal) };
    }),
  );
  const unread = observed.filter(({ reading }) => reading === undefined);
  if (unread.length > 0) return { type: "unreadable", names: unread.map(({ call }) => call.name) };
  const readings = observed.flatMap(({ reading }) => reading ?? []);
  const all = observed.map(({ call, draft, reading }) => {
    const { unit, value } = reading!;
    const before = { value, ...(unit === undefined ? {} : { unit }) };
    const isAlready = STATE_ACTIONS.has(action) && isMet(call.postcondition, reading!);
    return { call: { ...call, before }, draft, isAlready };
  });
  const already = all.flatMap(({ call, isAlready }) => (isAlready ? [call] : []));
  const [first, ...others] = all.filter(({ isAlready }) => !isAlready);
  if (first === undefined) return { type: "already", already, readings };
  const level = strictest([first, ...others].map(({ draft }) => draft.level));
  return { type: "frozen", calls: [first.call, ...others.map(({ call }) => call)], level, already, readings };
}

/** Whether a reading shows what a call was to bring about; a number counts in the unit of the reading. */
export function isMet({ equals }: Postcondition, { unit, value }: Pick<Reading, "value" | "unit">): boolean {
  return sameValue(
    { value: equals, ...(unit === undefined ? {} : { unit }) },
    { value, ...(unit === undefined ? {} : { unit }) },
  );
}

function callOf({ args, resource, tool, value }: CallDraft): OperationCall {
  const { postcondition, windowMs } = tool.options;
  const { signal } = postcondition;
  return {
    target: resource.id,
    name: resource.names[0],
    tool: tool.id,
    args,
    ...(value === undefined ? {} : { value }),
    // The settings have one or the other: see `sites/options.ts`.
    postcondition: {
      tool: `${tool.site}.${postcondition.tool}`,
      signal,
      equals: postcondition.equals ?? value!.number,
      windowMs,
    },
  };
}
