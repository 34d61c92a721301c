import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Access } from "../../domain/user.js";
import type { Guide } from "../schema/guide.js";
import { instruct, procedureOf } from "../schema/guides.test-util.js";
import { guideFile } from "../schema/read-guide.js";
import { GuideLibrary } from "./library.js";

const anna: Access = { network: "plant", username: "anna", groups: ["maintenance"], kiosk: false };
const bob: Access = { ...anna, username: "bob", groups: [] };
const { signal } = new AbortController();
/** Everybody may read the lock-out sheet, and nobody anything else. */
const readable = async (documents: readonly string[]) =>
  new Set(documents.filter((one) => one === "loto.md"));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "readback-guides-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function guide(id: string, name: string, fields: Readonly<Record<string, unknown>> = {}): Guide {
  return procedureOf([instruct("a")], { id, name, status: "published", ...fields });
}

function written(...guides: readonly Guide[]): void {
  mkdirSync(join(folder, "plant"), { recursive: true });
  for (const one of guides)
    writeFileSync(join(folder, "plant", `${one.id}-${one.version}.json`), JSON.stringify(guideFile(one)));
}

const opened = () => GuideLibrary.open(folder, readable);
const names = (guides: readonly Guide[]) => guides.map(({ name, version }) => `${name} ${version}`);

describe("the library", () => {
  it("lists the newest published version to those who may use it, and to nobody else", async () => {
    const source = { document: "loto.md", place: "step 1" };
    written(
      guide("jam", "Clear a jam"),
      guide("jam", "Clear a jam", { version: 2 }),
      guide("bleed", "Bleed the line", { visibility: "restricted", groups: ["maintenance"] }),
      guide("draft", "A draft", { status: "draft" }),
      guide("old", "An old one", { version: 1 }),
      guide("old", "An old one", { version: 2, status: "withdrawn" }),
      procedureOf([instruct("a", { source })], { id: "bound", name: "Lock out", status: "published" }),
      procedureOf([instruct("a", { source: { ...source, document: "secret.md" } })], {
        ...{ id: "secret", name: "Secret", status: "published" },
      }),
    );
    const library = await opened();
    expect(names(await library.list(anna, signal))).toEqual([
      "Bleed the line 1",
      "Clear a jam 2",
      "Lock out 1",
    ]);
    expect(names(await library.list(bob, signal))).toEqual(["Clear a jam 2", "Lock out 1"]);
    expect(await library.list({ ...anna, network: "rival" }, signal)).toEqual([]);
    expect(names(await library.versions(anna, signal, "jam"))).toEqual(["Clear a jam 2", "Clear a jam 1"]);
    expect(await library.versions(anna, signal, "secret")).toEqual([]);
  });

  it("finds what is meant, and nothing that may not be used", async () => {
    written(
      guide("jam", "Clear a jam on line two"),
      guide("bleed", "Bleed line two", { visibility: "restricted", groups: ["maintenance"] }),
      guide("belt", "Change the belt", { tags: ["conveyor"] }),
    );
    const library = await opened();
    const found = async (words: string, access = anna) =>
      (await library.named(words, access, signal)).sure.map(({ id }) => id);
    expect(await found("clearing the jam")).toEqual(["jam"]);
    expect(await found("Bleed line two")).toEqual(["bleed"]);
    expect(await found("line two")).toEqual(["bleed", "jam"]);
    expect(await found("line two", bob)).toEqual(["jam"]);
    expect(await found("bleeding", bob)).toEqual([]);
    expect(await found("the conveyor belt")).toEqual(["belt"]);
    expect(await found("the boiler")).toEqual([]);
    expect(await found("it")).toEqual([]);
  });

  it.each([
    ["clearing a jam on line two", "jam!"],
    ["the jam on line 2", "jam!"],
    ["line two", "jam!"],
    ["the lockout procedure", "jam!"],
    ["clearing a jam on line three", "jam"],
    ["a jam on line one", "jam"],
    ["the lockout of line three", "jam"],
    ["clearing a jam on line twenty two", "jam"],
    ["not clearing a jam on line two", "jam"],
    ["clearing a jam off line two", "jam"],
    ["cleaning a jam on line two", "jam"],
    ["stopping the boiler feed", "boiler"],
    ["the boiler inspection", "boiler"],
    ["the end of the shift at hall B", "shift"],
    ["the start of the shift at hall C", "shift"],
    ["the start of the second shift", "shift"],
    ["the start of the shift at hall B", "shift!"],
    ["draining the cold store", "cold"],
    ["painting the pump", undefined],
    ["entering the tank", undefined],
    ["the forklift check", undefined],
    ["den Stau auf Linie drei", undefined],
    ["den Schichtbeginn an Linie 1", "linie!"],
    ["einen Schichtbeginn an Linie eins", "linie!"],
    ["keinen Schichtbeginn an Linie eins", "linie"],
    ["den Schichtbeginn an Linie zwei", "linie"],
  ])("begins nothing but what the words bear out: %s", async (words, id) => {
    written(
      guide("jam", "Clear a jam on line two", { tags: ["lockout"] }),
      guide("boiler", "Restart the boiler feed"),
      guide("shift", "Start of the shift at hall B"),
      guide("cold", "Reset the cold store"),
      guide("pump", "Pump has no flow"),
      guide("pit", "Enter the pit"),
      guide("linie", "Schichtbeginn an Linie eins", { language: "de" }),
    );
    const { near, sure } = await (await opened()).named(words, anna, signal);
    expect([...sure.map((one) => `${one.id}!`), ...near.map((one) => one.id)]).toEqual(
      id === undefined ? [] : [id],
    );
  });

  it("knows what became of a version", async () => {
    written(guide("jam", "Jam"), guide("jam", "Jam", { version: 2 }), guide("belt", "Belt"));
    const library = await opened();
    expect(library.stateOf("plant", { id: "jam", version: 1 })).toBe("changed");
    expect(library.stateOf("plant", { id: "belt", version: 1 })).toBe("current");
    expect(library.stateOf("rival", { id: "belt", version: 1 })).toBe("gone");
    await library.save("plant", guide("belt", "Belt", { version: 2, status: "withdrawn" }));
    expect(library.stateOf("plant", { id: "belt", version: 1 })).toBe("withdrawn");
  });

  it("keeps what is saved, each version in one file, whatever its network is called", async () => {
    written(guide("jam", "Jam"));
    const library = await opened();
    await library.save("../..", guide("jam", "Jam"));
    await library.save("plant", guide("jam", "Jam, again"));
    expect(readdirSync(folder).toSorted()).toEqual(["..%2F..", "plant"]);
    const again = await opened();
    expect(names(await again.list(anna, signal))).toEqual(["Jam, again 1"]);
    expect(names(await again.list({ ...anna, network: "../.." }, signal))).toEqual(["Jam 1"]);
  });
});

describe("what cannot be used", () => {
  it("is told at once, each with its file and a remedy", async () => {
    written(guide("jam", "Jam"));
    writeFileSync(join(folder, "plant", "twin.json"), JSON.stringify(guideFile(guide("jam", "Jam"))));
    writeFileSync(join(folder, "plant", "broken.yaml"), "a: [");
    writeFileSync(join(folder, "loose.yaml"), "");
    writeFileSync(join(folder, "plant", "notes.txt"), "no guide");
    const long = procedureOf([instruct("a", { text: "Close the valve. ".repeat(60) })], {
      status: "published",
    });
    writeFileSync(join(folder, "plant", "long.json"), JSON.stringify(guideFile(long)));
    const error = await opened().catch(({ message }: Error) => message);
    expect(error).toMatch(/broken\.yaml cannot be read:\n.*is not YAML/);
    expect(error).toMatch(/long\.json: step a: .*\(speech-length\)/);
    expect(error).toMatch(/loose\.yaml: a guide belongs to a network; move it/);
    expect(error).toMatch(
      /twin\.json: version 1 of jam is in .*jam-1\.json already; give it another version/,
    );
  });

  it("leaves in force what was read before", async () => {
    written(guide("jam", "Jam"));
    const library = await opened();
    writeFileSync(join(folder, "plant", "broken.yaml"), "a: [");
    await expect(library.reload()).rejects.toThrow(/broken\.yaml/);
    expect(names(await library.list(anna, signal))).toEqual(["Jam 1"]);
    const broken = guide("jam", "Jam", { version: 2, steps: [instruct("a", { next: "nowhere" })] });
    await expect(library.save("plant", broken)).rejects.toThrow(/cannot be published/);
    expect(names(await library.versions(anna, signal, "jam"))).toEqual(["Jam 1"]);
  });
});
