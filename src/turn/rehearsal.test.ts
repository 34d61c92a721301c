import { expect, it } from "vitest";
import { english } from "../../test/support/locales.js";
import { Rehearsal } from "./rehearsal.js";

const REHEARSAL_MS = 2_000;

it("gives answers that the gate lets through", async () => {
  const rehearsal = new Rehearsal(english, REHEARSAL_MS);
  rehearsal.start();
  expect(await rehearsal.done).toBeGreaterThan(0);
});

it("ends when the service does", async () => {
  const rehearsal = new Rehearsal(english, REHEARSAL_MS);
  rehearsal.start();
  await rehearsal.stop();
  expect(await rehearsal.done).toBeLessThan(2);
});

it("takes no longer than it may", async () => {
  const rehearsal = new Rehearsal(english, 0);
  rehearsal.start();
  expect(await rehearsal.done).toBeLessThan(2);
});
