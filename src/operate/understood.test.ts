/** What a question comes to is worked out once for a turn, and for no other turn: not of another network either. */
import { expect, test, vi } from "vitest";
import { english } from "../../test/support/locales.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { commands } from "../routing/commands.js";
import type { SiteReader } from "./safety/site-reader.js";
import { Registry } from "./targets/registry.js";
import { understood } from "./wanted.js";

const OFFERED: Readonly<Record<string, readonly string[]>> = { acme: ["temperature"], beta: ["load"] };
const signalsFor = vi.fn(({ network }: { network: string }) => OFFERED[network]!);
const reader = {
  signalsFor,
  machinesFor: () => [],
  toolsFor: () => [],
  unlisted: () => undefined,
} as unknown as SiteReader;
const deps = {
  clock: new VirtualClock(),
  reader,
  registry: () => Registry.EMPTY,
  commandsFor: async () => commands,
};
const access = (network: string) => ({ network, username: "ann", groups: [], kiosk: false });
const signals = async (of: ReturnType<typeof access>) => {
  const request = { question: "what is the load", access: of, locale: english };
  return (await understood(request, deps)).wanted.signals;
};

test("networks that know of nothing alike share no answer, and a turn asks once", async () => {
  const [acme, beta] = [access("acme"), access("beta")];
  expect(await signals(acme)).toEqual(["status"]);
  expect(await signals(beta)).toEqual(["load"]);
  expect(await signals(beta)).toEqual(["load"]);
  expect(signalsFor).toHaveBeenCalledTimes(2);
});
