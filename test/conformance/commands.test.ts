/**
 * Commands in six languages, and questions that look like them, written before the templates by somebody who had not
 * seen them. At the first run 174 of 240 commands took their route and 134 had all their arguments, and 59 of 60
 * questions went to the documents; the floors are what was reached after the templates were mended with the rows in
 * sight, less one row a list, so that they measure nothing unseen.
 */
import { expect, it } from "vitest";
import { runCommandList } from "../../bench/support/command-lists.js";
import { systemClock } from "../../src/lib/clock.js";
import { loadPrompts } from "../../src/llm/prompts.js";
import { loadClassifier } from "../../src/routing/classifier.js";
import { routingOptions } from "../../src/routing/options.js";
import { Router } from "../../src/routing/router.js";
import { defaultsOf } from "../support/default-options.js";

const router = new Router(defaultsOf(routingOptions), {
  clock: systemClock,
  telemetry: { emit: () => undefined },
  prompts: await loadPrompts(),
  classifier: await loadClassifier(),
});

/** Rows whose route is right, and those with all arguments right. */
const FLOORS = {
  en: [39, 38],
  de: [39, 38],
  es: [39, 39],
  fr: [39, 39],
  pl: [39, 39],
  uk: [39, 39],
  questions: [60, 60],
} as const;

it.each(Object.entries(FLOORS))("understands the commands of the list %s", async (list, [routed, whole]) => {
  const results = await runCommandList(list as keyof typeof FLOORS, new URL("./", import.meta.url), router);
  expect(results.filter(({ isRouted }) => isRouted).length).toBeGreaterThanOrEqual(routed);
  expect(results.filter(({ isWhole }) => isWhole).length).toBeGreaterThanOrEqual(whole);
});
