/** Files of commands that are not as they should be are refused at the start, each problem with its line. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { LOCALES_DIR } from "../load.js";
import { CommandsError, commandsFiles, grammarsOf } from "./load.js";
import { parseTemplate } from "./notation.js";

const ENGLISH = readFileSync(join(LOCALES_DIR, "commands", "en.yaml"), "utf8");

async function problemsOf(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "readback-commands-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const read = await commandsFiles(directory);
  try {
    grammarsOf(read);
  } catch (error) {
    expect(error).toBeInstanceOf(CommandsError);
    return (error as Error).message.replaceAll(directory, "");
  }
  throw new Error("these files are as they should be");
}

/** English with one sentence in place of that for "radio check", and the line where it stands. */
function withSentence(sentence: string): readonly [text: string, line: number] {
  const lines = ENGLISH.split("\n");
  const at = lines.findIndex((line) => line.includes("radio check"));
  return [lines.with(at, `    - "${sentence}"`).join("\n"), at + 1];
}

describe("a file of commands", () => {
  it.each([
    ["open (the|a valve", /"\)" is missing, at character 18/],
    ["open the] valve", /"\]" closes nothing/],
    ["open {valve", /"\}" is missing/],
    ["open {nothing_such}", /there is no list "nothing_such"/],
    ["open {unit:size}", /"size" is no argument here \(there are: none\)/],
    ["<nothing_such> it", /there is no rule "nothing_such"/],
    ["[radio] [check]", /can be no words at all/],
    ["valve{unit}", /needs a space beside it/],
    ["(((((((((((((deep)))))))))))))", /nest more than 12 deep/],
  ])("is refused with its line for %s", async (sentence, problem) => {
    const [text, line] = withSentence(sentence);
    const message = await problemsOf({ "en.yaml": text });
    expect(message).toMatch(problem);
    expect(message).toContain(`/en.yaml:${line}: `);
  });

  it("is refused where it is no YAML, knows an intent that there is not, or a rule holds itself", async () => {
    expect(await problemsOf({ "en.yaml": "lists: [" })).toMatch(/en\.yaml:1: /);
    expect(await problemsOf({ "en.yaml": `${ENGLISH}  wishes:\n    - "a"\n` })).toMatch(/wishes/);
    const looped = ENGLISH.replace('  end: "', '  end: "<end> ');
    expect(await problemsOf({ "en.yaml": looped })).toMatch(/the rule "end" holds itself/);
  });

  it("is refused where another language has more", async () => {
    const without = ENGLISH.replace(/ {4}- slots: \{ action: dim \}\n.*\n/, "");
    expect(await problemsOf({ "en.yaml": ENGLISH, "xx.yaml": without })).toMatch(
      /xx\.yaml: there is nothing for "intents operate action=dim"/,
    );
  });
});

it("is read in the notation of alternatives, options, arguments, rules and endings", () => {
  expect(parseTemplate("(open|shut) [the] {target:thing} <end> valve[s]")).toEqual({
    type: "sequence",
    parts: [
      {
        type: "choice",
        of: [
          { type: "text", text: "open" },
          { type: "text", text: "shut" },
        ],
      },
      {
        type: "choice",
        of: [
          { type: "text", text: "the" },
          { type: "sequence", parts: [] },
        ],
      },
      { type: "slot", list: "target", name: "thing" },
      { type: "rule", name: "end" },
      {
        type: "choice",
        of: [
          { type: "text", text: "valves" },
          { type: "text", text: "valve" },
        ],
      },
    ],
  });
});
