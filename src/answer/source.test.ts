import { expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import { english } from "../../test/support/locales.js";
import { sourceAloud } from "./source.js";

it.each([
  [{}, "Lockout procedure"],
  [
    { headings: ["Presses", "4. Isolate the press"], page: 3, revision: "2026-03" },
    "Lockout procedure, section 4, page 3, March 2026 revision",
  ],
  [{ headings: ["Section 2.1: Valves"] }, "Lockout procedure, section 2.1"],
  [{ headings: ["Lockout Procedure"] }, "Lockout procedure"],
  [{ headings: ["Before work"], revision: "4" }, "Lockout procedure, Before work, revision 4"],
  [{ revision: "2026-03-04" }, "Lockout procedure, 4 March 2026 revision"],
  [{ revision: "2026-13" }, "Lockout procedure, revision 2026-13"],
  [{ revision: "Rev. B" }, "Lockout procedure, Rev. B"],
  [{ headings: ["**Valves** [V-1]"] }, "Lockout procedure, Valves V-1"],
  [{ headings: ["5 minute rule"] }, "Lockout procedure, 5 minute rule"],
  [{ headings: ["4.2 Valves"] }, "Lockout procedure, section 4.2"],
  [{ headings: ["7"] }, "Lockout procedure, 7"],
] as const)("of %j is said as %j", (more, said) => {
  expect(sourceAloud(passage("p", "Text.", { title: "Lockout procedure", ...more }), english)).toBe(said);
});
