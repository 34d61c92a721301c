import { expect, it } from "vitest";
import { english } from "../../test/support/locales.js";
import { Rehearsal } from "./rehearsal.js";

it("gives answers that the gate lets through", async () => {
  const rehearsal = new Rehearsal(english);
  rehearsal.start();
  expect(await rehearsal.done).toBeGreaterThan(0);
});

it("ends when the service does", async () => {
  const rehearsal = new Rehearsal(english);
  rehearsal.start();
  await rehearsal.stop();
  expect(await rehearsal.done).toBeLessThan(2);
});
