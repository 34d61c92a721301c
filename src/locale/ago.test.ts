import { expect, it } from "vitest";
import { ago } from "./ago.js";

const MINUTE_MS = 60_000;

it.each([
  [61_000, "en", "1 minute ago"],
  [2 * MINUTE_MS, "en", "2 minutes ago"],
  [5 * MINUTE_MS, "pl", "5 minut temu"],
  [2 * MINUTE_MS, "uk", "2 хвилини тому"],
  [60 * MINUTE_MS, "de", "vor 60 Minuten"],
  [120 * MINUTE_MS, "fr", "il y a 2 heures"],
  [72 * 60 * MINUTE_MS, "es", "hace 3 días"],
])("says %i ms in %s as %j", (ms, language, words) => {
  expect(ago(ms, language)).toBe(words);
});
