import { describe, expect, it } from "vitest";
import { passage } from "../../../test/support/fake-retrieval.js";
import { english, locales } from "../../../test/support/locales.js";
import { oldRevisionIn } from "./old-revision.js";

const lockout = passage("lockout", "Wait 8 minutes.", {
  title: "Lockout",
  revision: "2026-03",
  supersedes: ["2025-09", "2024-01"],
});
const numbered = passage("alarm", "Call 415.", { title: "Alarm", revision: "3", supersedes: ["2"] });

describe("an older revision", () => {
  it.each([
    ["How long do I wait in the September 2025 lockout?", "Lockout, September 2025 revision"],
    ["How long do I wait according to Sept. 2025?", undefined],
    ["How long did I wait in the 2025-09 revision?", "Lockout, September 2025 revision"],
    ["What did the January 2024 version say?", "Lockout, January 2024 revision"],
    ["What does the old lockout procedure say?", "Lockout, September 2025 revision"],
    ["What did the previous version say?", "Lockout, September 2025 revision"],
    ["What changed between September 2025 and March 2026?", undefined],
    ["How long do I wait?", undefined],
    ["How old must I be?", undefined],
  ])("%s", (question, old) => expect(oldRevisionIn(question, [lockout], english)?.old).toBe(old));

  it.each([
    ["es", "¿Qué decía la revisión de septiembre de 2025?", "Lockout, revisión de septiembre de 2025"],
    ["es", "¿Qué decía la versión anterior?", "Lockout, revisión de septiembre de 2025"],
    ["fr", "Que disait la version de septembre 2025 ?", "Lockout, révision septembre 2025"],
    ["fr", "Que disait l'ancienne version ?", "Lockout, révision septembre 2025"],
    ["de", "Was stand in der Fassung vom Januar 2024?", "Lockout, Stand Januar 2024"],
    ["de", "Was stand in der alten Fassung?", "Lockout, Stand September 2025"],
    ["pl", "Co było w wersji z września 2025?", "Lockout, wersja wrzesień 2025"],
    ["pl", "Co było w poprzedniej wersji?", "Lockout, wersja wrzesień 2025"],
    ["uk", "Що було в редакції вересня 2025?", "Lockout, редакція вересень 2025"],
    ["uk", "Що було в попередній редакції?", "Lockout, редакція вересень 2025"],
    ["de", "Wie alt muss ich sein?", undefined],
  ])("%s: %s", (language, question, old) =>
    expect(oldRevisionIn(question, [lockout], locales.of(language))?.old).toBe(old),
  );

  it("is told apart from a number of something else", () => {
    expect(oldRevisionIn("Who do I call after 2 minutes?", [numbered], english)).toBeUndefined();
    expect(oldRevisionIn("Who do I call in revision 2?", [numbered], english)).toMatchObject({
      old: "Alarm, revision 2",
      current: "Alarm, revision 3",
      question: "Who do I call in?",
    });
  });

  it("is nothing where no revision is superseded that the reader may read", () => {
    const alone = { ...lockout, supersedes: [] };
    expect(oldRevisionIn("What did the September 2025 lockout say?", [alone], english)).toBeUndefined();
  });
});
