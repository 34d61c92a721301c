import { expect, it } from "vitest";
import { turnAccess } from "../domain/turn.js";
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

it("does not change what may be read: a kiosk stays one under onboarding", () => {
  const access = turnAccess({ ...request, mode: "ai_onboarding", features: ["kiosk"], groups: ["fitters"] });
  expect(access).toEqual({ network: "plant", username: "ann", groups: ["fitters"], kiosk: true });
  expect(turnAccess(request).kiosk).toBe(false);
});
