/** `readback guide`, as it is called, with the guide of the examples and with what is wrong. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runOfActions } from "../guide/run/runs.test-util.js";
import { indexGuide } from "../guide/schema/graph.js";
import { fileValue, guideFile, parseGuide } from "../guide/schema/read-guide.js";
import { openGuideRuns } from "../store/embedded-guide-runs.js";
import { readVoiceFile } from "./voice-file.js";

const BIN = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../../examples/guides/clear-a-jam.yaml", import.meta.url));

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "readback-guide-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function guide(...args: string[]): Promise<Ended> {
  return typedTo([], ...args);
}

/** The last of `args` may be settings of the environment. */
function typedTo(lines: readonly string[], ...args: (string | Record<string, string>)[]): Promise<Ended> {
  const words = args.filter((one) => typeof one === "string");
  const env = Object.assign({ ...process.env }, ...args.filter((one) => typeof one !== "string"));
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [BIN, "guide", ...words], { env }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
    child.stdin?.end(lines.map((line) => `${line}\n`).join(""));
  });
}

function written(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const BROKEN = `
readback_guide: 1
id: bleed
name: Bleed
flow_type: procedural
steps:
  - {id: a, kind: instruct, title: Bleed, text: "Open the valve of [VAR:line] and press the button."}
  - {id: z, kind: end, title: Done}
`;

const ALOUD = `
readback_guide: 1
id: bleed
name: Bleed
flow_type: procedural
intake: [{name: line, label: "Which line?"}]
steps:
  - {id: a, kind: instruct, title: Bleed, warning: "It is hot, 60 °C.", text: "Open the valve of [VAR:line].",
     verification_prompt: "Is it open?", check_digit: {digits: "47", place: the frame}}
  - {id: z, kind: end, title: Done}
`;

async function heardFile(path: string): Promise<{ readonly durationMs: number }> {
  const { packetMs, packets } = await readVoiceFile(path);
  return { durationMs: packetMs * packets.length };
}

const TREE = {
  ...{ id: "root", type: "decision", question: "Is the light on?", x: 1 },
  options: [{ id: "y", label: "Yes", next_node_id: "ok" }],
  children: [{ id: "ok", type: "solution", title: "Fine", description: "It runs." }],
};

describe("readback guide check", () => {
  it("finds nothing wrong with the guide of the examples", async () => {
    const { code, stdout } = await guide("check", EXAMPLE);
    expect(stdout).toBe("Clear a jam on line two, version 1: 30 steps, nothing is wrong.\n");
    expect(code).toBe(0);
  });

  it("tells step and remedy, and exits with 1", async () => {
    const file = written("bleed.yaml", BROKEN);
    const { code, stdout } = await guide("check", file);
    expect(code).toBe(1);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(
        /bleed\.yaml: step a: nothing fills \[VAR:line\]; ask for it in the intake form.*\(variable-filled\)$/,
      ),
      expect.stringMatching(/step a: it asks for 2 acts: "open", "press"; make a step of each \(one-act\)$/),
      "Bleed, version 1: 2 steps, 2 to correct.",
      "",
    ]);
    const json = JSON.parse((await guide("check", file, "--json")).stdout) as { findings: unknown[] };
    expect(json).toMatchObject({
      guide: "bleed",
      steps: 2,
      findings: [{ rule: "variable-filled", step: "a" }, {}],
    });
  });

  it("reads it out as it is heard, numbers and units in words, and speaks it into a file", async () => {
    const file = written("aloud.yaml", ALOUD);
    const voice = join(folder, "aloud.ogg");
    const { code, stdout } = await guide("check", file, "--aloud", "--voice", voice);
    expect(stdout).toBe(
      "line (1 s): Which line?\na (8 s): First read me the digits. They are here: the frame. / It is hot, sixty degrees " +
        "Celsius. / Open the valve of line. / Is it open?\n" +
        "z (1 s): Done\nBleed, version 1: 2 steps, nothing is wrong.\n",
    );
    expect(code).toBe(0);
    const { durationMs } = await heardFile(voice);
    expect(durationMs).toBeGreaterThan(3_000);
    expect(durationMs).toBeLessThan(15_000);
  });

  it("exits with 2 where there is no guide, and says why", async () => {
    expect(await guide("check", join(folder, "none.yaml"))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/none\.yaml cannot be read: ENOENT/),
    });
    expect(await guide("check", written("x.json", "{"))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is not JSON .*; correct it, or name it \.yaml/),
    });
  });
});

describe("readback guide draft", () => {
  const HANDBOOK = fileURLToPath(new URL("../../examples/handbook", import.meta.url));

  it("makes a draft of a document, which is held to that document", async () => {
    const out = join(folder, "locking-out.json");
    const source = join(HANDBOOK, "lockout-tagout-2026-03.md");
    const made = await guide("draft", source, "--section", "Locking out", "--out", out);
    expect(made).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("11 steps, 2 to correct"),
    });
    const rules = (stdout: string) =>
      (JSON.parse(stdout) as { findings: { rule: string }[] }).findings.map(({ rule }) => rule);
    const checked = await guide("check", out, "--documents", HANDBOOK, "--json");
    expect(rules(checked.stdout)).toEqual(["one-act", "one-act"]);
    writeFileSync(out, readFileSync(out, "utf8").replace("Wait 8 minutes", "Wait 3 minutes"));
    const planted = await guide("check", out, "--documents", HANDBOOK, "--json");
    expect(rules(planted.stdout)).toContain("source-says");
  });

  it("says where there are no steps, or more than one document", async () => {
    expect(await guide("draft", join(HANDBOOK, "pay-bands.md"))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("pay-bands.md has no numbered steps"),
    });
    expect(await guide("draft", HANDBOOK)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is not one document"),
    });
  });
});

describe("readback guide export", () => {
  it("gives a flow back, and makes a guide of it", async () => {
    const file = written("tree.json", JSON.stringify(TREE));
    const back = await guide("export", file, "--as", "troubleshooting");
    expect(JSON.parse(back.stdout)).toEqual(TREE);
    const ours = await guide("export", file, "--as", "guide");
    const made = JSON.parse(ours.stdout) as unknown;
    expect(made).toMatchObject({
      readback_guide: 1,
      name: "tree",
      status: "draft",
      origin: { format: "troubleshooting" },
    });
    expect((await guide("check", written("guide.json", ours.stdout))).code).toBe(0);
  });

  it("writes Markdown and HTML, to a file where one is named", async () => {
    const out = join(folder, "jam.html");
    expect(await guide("export", EXAMPLE, "--as", "html", "--out", out)).toMatchObject({
      code: 0,
      stdout: "",
    });
    expect(readFileSync(out, "utf8")).toContain("<h3>3. Stop the line</h3>");
    const { stdout } = await guide("export", EXAMPLE, "--as", "markdown");
    expect(stdout).toContain("### 3. Stop the line\n\n> **Warning:** The sealing bars stay at 180 °C");
  });

  it("refuses a form that would lead people wrongly, or that there is none of", async () => {
    expect(await guide("export", EXAMPLE, "--as", "procedural")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /step trained: it leads elsewhere than to the next step; export it as markdown/,
      ),
    });
    expect(await guide("export", EXAMPLE, "--as", "pdf")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Allowed choices are markdown, html/),
    });
  });
});

describe("readback guide runs", () => {
  it("names the weak step, and writes the page of a run", async () => {
    const index = indexGuide(parseGuide(fileValue(readFileSync(EXAMPLE, "utf8"), EXAMPLE)));
    const run = runOfActions(index, [{ type: "value", value: "infeed" }, { type: "yes" }, { type: "help" }]);
    const dataDir = join(folder, "data");
    const store = await openGuideRuns(dataDir);
    await store.save({
      ...{ id: "run-1", network: "plant", user: "ann", guide: run.guide, version: 1, status: run.status },
      ...{ startedAtMs: 0, updatedAtMs: 1, run: JSON.stringify({ run, besides: { told: "current" } }) },
      text: JSON.stringify(guideFile(index.guide)),
    });
    await store.close();
    const of = (...args: string[]) =>
      typedTo([], "runs", ...args, "--network", "plant", { READBACK_DATA_DIR: dataDir });
    const { stdout } = await of();
    expect(stdout).toContain("clear-a-jam, version 1: 1 runs, 0 finished, 0 ended early.");
    expect(stdout).toContain("The weak step is trained.");
    expect(stdout).toContain("run-1  running  ann");
    const [guides] = JSON.parse((await of("--json")).stdout) as [object];
    expect(guides).toMatchObject({
      guide: "clear-a-jam",
      runs: ["run-1"],
      steps: [{ step: "trained", helps: 1 }],
    });
    const out = join(folder, "run-1.html");
    expect((await of("--page", "run-1", "--out", out)).code).toBe(0);
    expect(readFileSync(out, "utf8")).toContain("<title>Record of Clear a jam on line two</title>");
    expect(await of("--page", "run-2")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("plant has no run run-2; readback guide runs lists those it has"),
    });
    expect((await of("other")).stderr).toContain("No runs are kept.");
  });
});

describe("guide rehearse", () => {
  it("goes through a guide as its worker, its site and its colleague, and prints the record", async () => {
    const lines = [
      "infeed",
      "yes",
      "Both of them",
      "done",
      "",
      "fits stopped",
      "4712",
      "4711",
      "done",
      "yes",
      "skip this step",
    ];
    const { code, stdout } = await typedTo([...lines, "quit", "yes"], "rehearse", EXAMPLE);
    expect(code).toBe(0);
    expect(stdout).toContain("[the site is asked for status of plant/conveyor/cv2: type fits TEXT");
    expect(stdout).toContain("Those are other digits. You may be at the wrong place.");
    expect(stdout).toContain("That was fast. Have you done all of it?");
    expect(stdout).toContain("This step is critical: it may not be left out.");
    expect(stdout).toMatch(
      /What the record has:\n {2}place started\n[\s\S]*conveyor-stopped read stopped \(site\)\n[\s\S]* quit\n$/,
    );
  });

  it("ends with its input", async () => {
    const { code, stdout } = await typedTo(["infeed"], "rehearse", EXAMPLE);
    expect([code, stdout.includes("infeed: is that right?")]).toEqual([0, true]);
  });
});
