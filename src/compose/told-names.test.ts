/** Names of a large site, as the templates are told them: beside everything else that happens. */
import { expect, it } from "vitest";
import { Registry } from "../operate/targets/registry.js";
import { commandsFor, hintsFor } from "./told-names.js";

const ANN = { network: "plant", username: "ann", groups: [], kiosk: false };
const access = { network: "plant", visibility: "network", allowedUsers: [], allowedGroups: [] } as const;
const NAMES = 5_000;

it("thousands of names are told in steps, once, and are understood", async () => {
  const things = Array.from({ length: NAMES }, (_, n) => {
    const [id, names] = [`plant/pump/p${n}`, [`mixing pump ${n}`] as [string]];
    return { id, site: "plant", kind: "pump", address: `p${n}`, names, paths: [], access };
  });
  const known = Registry.EMPTY.with("plant", things).knownTo(ANN);
  let rounds = 0;
  let isWorking = true;
  const count = () => {
    rounds += 1;
    if (isWorking) setImmediate(count);
  };
  setImmediate(count);
  const [commands, same] = await Promise.all([commandsFor(known), commandsFor(known)]);
  expect(rounds).toBeGreaterThan(2);
  rounds = 0;
  const hints = await hintsFor(known);
  isWorking = false;
  expect(rounds).toBeGreaterThan(2);
  expect(hints).toContainEqual({ text: "mixing pump 0", source: { type: "resource", id: "plant/pump/p0" } });
  expect(same).toBe(commands);
  const [said] = commands.of(commands.hear("restart mixing pump 4321"));
  expect(said).toMatchObject({ intent: "operate", slots: { target: { value: "mixing pump 4321" } } });
});
