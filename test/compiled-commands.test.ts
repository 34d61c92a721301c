/** What the build keeps of the commands is what their files say, and nothing else is ever taken for it. */
import { describe, expect, it } from "vitest";
import { shippedPath } from "../src/lib/shipped-files.js";
import type * as Compiled from "../src/locale/commands/compiled.js";
import { commandsFiles, grammarsOf } from "../src/locale/commands/load.js";

const { compiledGrammars } = (await import(
  shippedPath("dist/src/locale/commands/compiled.js")
)) as typeof Compiled;
const files = await commandsFiles();
const texts = files.map(({ text }) => text);

describe("commands that the build has compiled (npm run build)", () => {
  it("are those of the files", () => {
    const compiled = compiledGrammars(texts)!;
    expect(compiled.map(({ language }) => language)).toEqual(["de", "en", "es", "fr", "pl", "uk"]);
    for (const [i, { rules: _rules, templates: _templates, ...grammar }] of grammarsOf(files).entries())
      for (const [name, part] of Object.entries(grammar)) {
        const own = compiled[i]![name as keyof typeof grammar];
        expect(flat(own) === flat(part), `${grammar.language}: ${name}`).toBe(true);
      }
  });

  it("are of no use where a file is another by now", () => {
    expect(compiledGrammars([...texts.slice(1), `${texts[0]}# more\n`])).toBeUndefined();
  });
});

/** A value that may hold another many times, as text: each once, by its number from then on. */
function flat(value: unknown): string {
  const numbers = new Map<object, number>();
  const seen = (one: unknown): unknown => {
    if (typeof one !== "object" || one === null) return one;
    const known = numbers.get(one);
    if (known !== undefined) return `=${known}`;
    numbers.set(one, numbers.size);
    const isList = Array.isArray(one) || one instanceof Map || one instanceof Set;
    return [...(isList ? one : Object.entries(one))].map(seen);
  };
  return JSON.stringify(seen(value));
}
