import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadPrompts, PROMPTS_DIR } from "./prompts.js";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "readback-prompts-"));
  await cp(PROMPTS_DIR, directory, { recursive: true });
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

describe("loadPrompts", () => {
  it("loads what comes with the service", async () => {
    const prompts = await loadPrompts();
    const values = { output: "Spoken.", not_found: "I can't find that.", language: "Welsh" };
    const persona = prompts.render("default", values);
    expect(persona).toContain("Spoken.");
    expect(persona).toContain("I can't find that.");
    expect(persona).toContain("Answer in Welsh.");
    expect(persona).not.toMatch(/%\w+%|^---/m);
  });

  it("takes a value for what it is, placeholders and all", async () => {
    const prompts = await loadPrompts();
    const text = "Set %title% to 50% $& $1";
    const shown = prompts.render("passage", {
      number: "1",
      title: "T",
      revision: "2",
      replaces: "",
      section: "S",
      page: "",
      text,
    });
    expect(shown).toContain(`Text:\n${text}\n`);
  });

  it("takes an operator's directory, with fewer variables too", async () => {
    await writeFile(join(directory, "kiosk.md"), "Be brief.\n");
    const prompts = await loadPrompts(directory);
    expect(prompts.render("kiosk", { output: "", not_found: "", language: "" })).toBe("Be brief.");
  });

  it("tells everything that is wrong at once, by file", async () => {
    const files: Record<string, string> = {
      default: "---\nvariables: [output]\n---\n%output% %not_found% %user%",
      onboarding: "---\nvariables: [output, not_found]\n---\n%output%",
      kiosk: "---\nvariable: [output]\n---\n%output%",
      "retrieve-tool": "---\ndescription: Empty\n---\n",
      "routes/guide": "---\nvariables: [\n---\nLost.",
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, `${name}.md`), text);
    await rm(join(directory, "passage.md"));
    const problem = await loadPrompts(directory).then(
      () => "",
      (error: Error) => error.message,
    );
    expect(problem).toContain('default.md: %not_found% is used, but not declared under "variables"');
    expect(problem).toContain("default.md: %user% is unknown here (there are: output, not_found, language)");
    expect(problem).toContain(
      'onboarding.md: the variable "not_found" is declared, but %not_found% is not in the text',
    );
    expect(problem).toContain("kiosk.md: front matter:");
    expect(problem).toContain("retrieve-tool.md: there is no text");
    expect(problem).toContain("guide.md: line 3: the front matter is not YAML");
    expect(problem).toContain("passage.md: the file is missing");
    expect(problem).not.toContain("output-text.md");
  });
});
