import { expect, it } from "vitest";
import { passage } from "../../../test/support/fake-retrieval.js";
import { english, locales } from "../../../test/support/locales.js";
import { revisionAloud, sourceAloud } from "./source.js";

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
  [{ revision: "2026-02-31" }, "Lockout procedure, revision 2026-02-31"],
  [{ revision: "Rev. B" }, "Lockout procedure, Rev. B"],
  [{ headings: ["**Valves** [V-1]"] }, "Lockout procedure, Valves V-1"],
  [{ headings: ["5 minute rule"] }, "Lockout procedure, 5 minute rule"],
  [{ headings: ["4.2 Valves"] }, "Lockout procedure, section 4.2"],
  [{ headings: ["7"] }, "Lockout procedure, 7"],
] as const)("of %j is said as %j", (more, said) => {
  expect(sourceAloud(passage("p", "Text.", { title: "Lockout procedure", ...more }), english)).toBe(said);
});

it.each([
  [
    "es",
    "Lockout procedure, sección 4.2, página 3, revisión de marzo de 2026",
    "revisión del 4 de marzo de 2026",
  ],
  ["fr", "Lockout procedure, section 4.2, page 3, révision mars 2026", "révision du 4 mars 2026"],
  ["de", "Lockout procedure, Abschnitt 4.2, Seite 3, Stand März 2026", "Stand 4. März 2026"],
  ["pl", "Lockout procedure, rozdział 4.2, strona 3, wersja marzec 2026", "wersja z 4 marca 2026"],
  ["uk", "Lockout procedure, розділ 4.2, сторінка 3, редакція березень 2026", "редакція від 4 березня 2026"],
])("is said in %s", (language, byMonth, byDay) => {
  const locale = locales.of(language);
  const named = passage("p", "Text.", { title: "Lockout procedure", headings: ["4.2 Valves"], page: 3 });
  expect(sourceAloud({ ...named, revision: "2026-03" }, locale)).toBe(byMonth);
  expect(revisionAloud("2026-03-04", locale)).toBe(byDay);
});
