/** From an order to calls that can be consented to: what is read now is frozen with them. */
import { isMet } from "../operation/calls.js";
import type { SiteWriter } from "../safety/site-writer.js";
import { strictest } from "./call.js";
import type { Order } from "./order.js";

/**
 * Actions that ask for a state, and do nothing where it is so already: where it is, nothing is proposed. A restart asks for
 * more than a state, as may what only the settings name: these are proposed whatever is read.
 */
const STATE_ACTIONS =
  /^(?:start|stop|switch_on|switch_off|open|close|lock|unlock|enable|disable|set|drain|fill|update|acknowledge)$/;

/**
 * Reads what each call is to change. `frozen`: these can be consented to, as the strictest of them asks; `already` are as
 * they were asked to be, and left out, or all there is. `unreadable`: how these are now cannot be read, so nobody could
 * tell whether it changed. Rejects with the signal's reason only.
 */
export async function freeze(
  { action, drafts }: Extract<Order, { readonly type: "order" }>,
  writer: Pick<SiteWriter, "observe">,
  signal: AbortSignal,
) {
  const observed = await Promise.all(
    drafts.map(async (draft) => ({ ...draft, reading: await writer.observe(draft.call, signal) })),
  );
  const names = observed.flatMap(({ call, reading }) => (reading === undefined ? [call.name] : []));
  if (names.length > 0) return { type: "unreadable", names } as const;
  const read = observed.map(({ call, level, reading }) => {
    const { unit, value } = reading!;
    const isAlready = STATE_ACTIONS.test(action) && isMet(call, reading!);
    return { call: { ...call, before: { value, ...(unit && { unit }) } }, level, isAlready };
  });
  const readings = observed.map(({ reading }) => reading!);
  const already = read.filter(({ isAlready }) => isAlready).map(({ call }) => call);
  const [first, ...others] = read.filter(({ isAlready }) => !isAlready);
  if (first === undefined) return { type: "already", already, readings } as const;
  const level = strictest([first, ...others].map((one) => one.level));
  const calls = [first.call, ...others.map(({ call }) => call)] as const;
  return { type: "frozen", calls, level, already, readings } as const;
}
