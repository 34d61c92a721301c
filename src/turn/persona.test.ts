import { expect, it } from "vitest";
import { choosePersona } from "./persona.js";
import { request } from "./voice-bench.test-util.js";

it.each([
  ["default", {}],
  ["default", { mode: "ai_check", features: ["voice"] }],
  ["onboarding", { mode: "ai_onboarding" }],
  ["kiosk", { features: ["voice", "kiosk"] }],
  ["kiosk", { features: ["shop-kiosk-2"] }],
  ["onboarding", { mode: "ai_onboarding", features: ["kiosk"] }],
] as const)("is %s for %j", (persona, more) => {
  expect(choosePersona({ ...request, ...more })).toBe(persona);
});
