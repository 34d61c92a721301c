/** From an order to calls that can be consented to: what is read now is frozen with them. */
import { isMet } from "../operation/reduce.js";
import type { SiteWriter } from "../safety/site-writer.js";
import { strictest } from "./call.js";
import type { Order } from "./order.js";

/** Actions that ask for a state, and do nothing where it is so. A restart asks for more than that, as may what only settings name. */
const STATE_ACTIONS =
  /^(?:start|stop|switch_on|switch_off|open|close|lock|unlock|enable|disable|set|drain|fill|update|acknowledge)$/;

/**
 * Reads what each call is to change. `frozen`: as the strictest of them asks, but for those that are `already` so.
 * `unreadable`: nobody could tell whether these changed. Rejects with the signal's reason only.
 */
export async function freeze(
  { action, drafts }: Extract<Order, { readonly type: "order" }>,
  writer: Pick<SiteWriter, "observe">,
  signal: AbortSignal,
) {
  const read = await Promise.all(
    drafts.map(async ({ call, level }) => ({ call, level, reading: await writer.observe(call, signal) })),
  );
  const names = read.flatMap(({ call, reading }) => (reading === undefined ? [call.name] : []));
  if (names.length > 0) return { type: "unreadable", names } as const;
  const readings = read.map(({ reading }) => reading!);
  const frozen = read.map(({ call, level }, i) => {
    const { unit, value } = readings[i]!;
    const isAlready = STATE_ACTIONS.test(action) && isMet(call, readings[i]!);
    return { call: { ...call, before: { value, ...(unit && { unit }) } }, level, isAlready };
  });
  const already = frozen.filter(({ isAlready }) => isAlready).map(({ call }) => call);
  const [first, ...others] = frozen.filter(({ isAlready }) => !isAlready);
  if (first === undefined) return { type: "already", already, readings } as const;
  const level = strictest([first, ...others].map((one) => one.level));
  const calls = [first.call, ...others.map(({ call }) => call)] as const;
  return { type: "frozen", wanted: { action, calls, level }, already, readings } as const;
}
