/**
 * `readback evaluate` as a process of its own, on the golden set: from a fresh checkout, killed in the middle and taken
 * up again, with a model and a judge behind a local server.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readDataSetFile } from "../src/evaluation/read-data-set.js";
import { freePort } from "./attack/support/nginx.js";
import { type ChatReply, searchReply, textReply } from "./support/openai-replies.js";
import type { ChatBody } from "./support/openai-requests.js";
import { OpenAiServer } from "./support/openai-server.js";
import { patience } from "./support/patience.js";

const BIN = fileURLToPath(new URL("../bin/readback.js", import.meta.url));
const GOLDEN = fileURLToPath(new URL("../examples/golden.jsonl", import.meta.url));
const HANDBOOK = fileURLToPath(new URL("../examples/handbook", import.meta.url));
const PROCESS_MS_MAX = patience(120_000);

let folder = "";
const children: ChildProcess[] = [];
const servers: OpenAiServer[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "readback-evaluate-test-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const server of servers.splice(0)) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { PATH } = process.env;
  // What a killed process leaves of its index lies there, and goes with it.
  const env = { ...(PATH !== undefined && { PATH }), TMPDIR: folder, ...environment };
  const child = spawn(process.execPath, [BIN, "evaluate", ...args], { cwd: folder, env });
  children.push(child);
  const out = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => {
    out.stdout += String(data);
  });
  child.stderr.on("data", (data) => {
    out.stderr += String(data);
  });
  const ended: Promise<Ended> = once(child, "close").then(([code]) => ({
    code: code as number | null,
    ...out,
  }));
  return { child, ended };
}

interface Result {
  readonly global_score: number;
  readonly progress: { readonly rows: number; readonly done: number; readonly failed: number };
  readonly metrics: Readonly<Record<string, { readonly mean: number | null; readonly scored: number }>>;
  readonly rows: readonly {
    readonly id: string;
    readonly answer: string;
    readonly outcome: string;
    readonly route: string;
    readonly checks: readonly { readonly name: string; readonly passed: boolean }[];
  }[];
}

async function resultOf(args: readonly string[], environment = {}): Promise<Result> {
  const { stdout, stderr } = await start([...args, "--json"], environment).ended;
  expect(stderr).not.toContain("readback:");
  return JSON.parse(stdout) as Result;
}

describe("readback evaluate", { timeout: PROCESS_MS_MAX }, () => {
  it("runs the golden set offline, writes its reports, and goes by the threshold", async () => {
    const args = [GOLDEN, "--report", "r.html", "--junit", "r.xml"];
    const high = await start([...args, "--min-score", "1"]).ended;
    expect(high).toMatchObject({ code: 1, stderr: expect.stringMatching(/the score 0\.\d+ is below 1/) });
    const rows = readDataSetFile(GOLDEN, readFileSync(GOLDEN, "utf8"), { rowsMax: 1_000 }).rows.length;
    expect(high.stdout).toContain(`Handbook: ${rows} rows, 0 failed, judge: none`);
    expect(high.stdout).toMatch(/global score: 0\.\d{3} (?:EXCELLENT|ACCEPTABLE|INSUFFICIENT)/);
    expect(readFileSync(join(folder, "r.html"), "utf8")).toContain("Evaluation of Handbook");
    expect(readFileSync(join(folder, "r.xml"), "utf8").match(/<testcase /g)).toHaveLength(rows + 1);
    expect((await start([...args, "--limit", "3", "--min-score", "0"]).ended).code).toBe(0);
  });

  it("lets nothing forbidden be told from what is not there", async () => {
    const { rows } = await resultOf([GOLDEN, "--category", "forbidden,unanswerable"]);
    const leaks = rows.flatMap(({ checks }) => checks).filter(({ name }) => name === "must_not_say");
    expect(leaks.length).toBeGreaterThan(5);
    expect(leaks.filter(({ passed }) => !passed)).toEqual([]);
    const searched = rows.filter(({ route }) => route === "knowledge");
    expect(searched.length).toBeGreaterThan(rows.length * 0.7);
    // An offer is made of what the asker may read alone, whatever else there is.
    const refused = searched.filter(({ outcome }) => outcome !== "ambiguous");
    expect(refused.length).toBeGreaterThan(searched.length * 0.8);
    expect(new Set(refused.map(({ answer }) => answer)).size).toBe(1);
    expect(new Set(refused.map(({ outcome }) => outcome))).toEqual(new Set(["not_in_documents"]));
  });

  it("goes on after a kill where it was, and counts nothing twice", async () => {
    const ROWS = 6;
    let isHanging = true;
    const asked: string[] = [];
    let hung: () => void = () => undefined;
    const hanging = new Promise<void>((resolve) => {
      hung = resolve;
    });
    const reply = ({ body }: { readonly body: ChatBody }): ChatReply => {
      if (body.tool_choice !== "none" && body.tools !== undefined) return searchReply("burn");
      asked.push(JSON.stringify(body.messages.find(({ role }) => role === "user")));
      if (isHanging && asked.length > ROWS / 2) {
        hung();
        return { type: "hang" };
      }
      return textReply("Cool the burn under running lukewarm water for 20 minutes.");
    };
    const server = await OpenAiServer.start({ respond: { chat: reply } });
    servers.push(server);
    const environment = {
      READBACK_LLM_BASE_URL: server.baseUrl,
      READBACK_LLM_API_KEY: server.apiKey,
      READBACK_EVALUATION_CONCURRENCY: "1",
      READBACK_SPEECH_PROVIDER: "offline",
    };
    const args = [GOLDEN, "--category", "answerable", "--limit", String(ROWS)];
    const { child, ended } = start(args, environment);
    expect(await Promise.race([hanging, ended.then(({ stderr }) => stderr)])).toBeUndefined();
    child.kill("SIGKILL");
    await ended;
    const before = asked.slice(0, ROWS / 2);
    isHanging = false;
    const { progress, rows } = await resultOf([...args, "--resume"], environment);
    expect(progress).toMatchObject({ rows: ROWS, done: ROWS, failed: 0 });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(ROWS);
    const after = asked.slice(ROWS / 2 + 1);
    expect(after).toHaveLength(ROWS / 2);
    expect(after.filter((text) => before.includes(text))).toEqual([]);
  });

  it("has a model judge, and marks what makes no sense", async () => {
    let verdicts = 0;
    const judged = await OpenAiServer.start({
      respond: {
        chat: ({ body }) => {
          const data = JSON.parse(String(body.messages[1]!.content)) as { statements?: readonly string[] };
          if (data.statements === undefined) return textReply('{"statements": ["A.", "B."]}');
          verdicts += 1;
          return textReply(verdicts <= 2 ? "Yes." : '{"verdicts": [{"verdict": 1}, {"verdict": 0}]}');
        },
      },
    });
    servers.push(judged);
    const { code, stderr, stdout } = await start(
      [GOLDEN, "--json", "--ids", "burn-cooling-time,first-aider-extension", "--metrics", "faithfulness"],
      {
        READBACK_LLM_JUDGE_BASE_URL: judged.baseUrl,
        READBACK_LLM_JUDGE_API_KEY: judged.apiKey,
        READBACK_LLM_JUDGE_MODEL: "judge",
        READBACK_EVALUATION_CONCURRENCY: "1",
      },
    ).ended;
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("1 of 2 rows were not"),
    });
    const { metrics, progress } = JSON.parse(stdout) as Result;
    expect(progress).toMatchObject({ done: 1, failed: 1 });
    expect(metrics.faithfulness).toMatchObject({ mean: 0.5, scored: 1, failed: 1 });
  });

  it("passes nothing whose judge is out of reach", async () => {
    const args = [GOLDEN, "--ids", "burn-cooling-time,burn-ice"];
    const environment = {
      READBACK_LLM_JUDGE_BASE_URL: `http://127.0.0.1:${await freePort()}/v1`,
      READBACK_LLM_JUDGE_API_KEY: "judge-key",
      READBACK_LLM_JUDGE_MODEL: "judge",
      READBACK_EVALUATION_ATTEMPTS_MAX: "1",
    };
    for (const gate of [[], ["--min-score", "0.1"]]) {
      const { code, stderr, stdout } = await start([...args, ...gate], environment).ended;
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("2 of 2 rows were not"),
      });
      expect(stdout).toContain("global score: – INSUFFICIENT");
    }
  });

  it("marks answers to rows with an answer key, in every report", async () => {
    const rows = [
      '{"dataset":"Mine","documents":"docs","network":"acme"}',
      '{"id":"r","kind":"fact","turns":["How long does the press check take?"],"answerable":true,"expect":[["6 minutes"]],"hurts":true}',
      '{"id":"w","kind":"fact","turns":["How long does the press check take?"],"answerable":true,"expect":[["7 minutes"]],"hurts":true}',
      JSON.stringify({
        id: "f",
        kind: "follow_up",
        turns: ["How long does the press check take?", "And who repairs the press?"],
        answerable: true,
        expect: [["Maintenance"]],
      }),
      '{"id":"n","kind":"none","turns":["How much does the canteen cost?"],"answerable":false,"forbid":["5 euros"]}',
    ];
    mkdirSync(join(folder, "docs"));
    const text = "# Press\n\nThe press check takes 6 minutes. Maintenance repairs the press.\n";
    writeFileSync(join(folder, "docs", "press.md"), text);
    writeFileSync(join(folder, "mine.jsonl"), rows.join("\n"));
    const { code, stdout } = await start(["mine.jsonl", "--report", "r.html", "--junit", "r.xml"]).ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/rows +right +wrong +of these partly +could hurt +refused +failed/);
    expect(stdout).toMatch(/fact +2 +1 +1 +0 +1 +0 +0/);
    expect(stdout).toMatch(/none +1 +1 +0 +0 +0 +0 +0/);
    expect(readFileSync(join(folder, "r.html"), "utf8")).toContain("<h2>Marks</h2>");
    const junit = readFileSync(join(folder, "r.xml"), "utf8");
    expect(junit).toMatch(/<failure message="expected &quot;7 minutes&quot;; wrong: it does not say/);
    const result = (await resultOf(["mine.jsonl"])) as unknown as {
      readonly marks: { readonly total: object };
      readonly rows: readonly { readonly mark: object }[];
    };
    expect(result.marks.total).toMatchObject({ rows: 4, wrong: 1, could_hurt: 1 });
    expect(result.rows[1]!.mark).toMatchObject({ mark: "wrong", could_hurt: true, lacks: [["7 minutes"]] });
  });

  it("drafts a set from documents, which is asked once the mark is taken out", async () => {
    const drafting = ["--draft", HANDBOOK, "--out", "draft.jsonl"];
    const first = await start(drafting).ended;
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/\d+ questions are drafted/) });
    const text = readFileSync(join(folder, "draft.jsonl"), "utf8");
    const rows = readDataSetFile("draft.jsonl", text, { rowsMax: 1_000 }).rows;
    const kinds = new Set(rows.map(({ category }) => category));
    expect(kinds).toEqual(new Set(["fact", "table", "procedure", "list", "near_unanswerable"]));
    expect(
      text
        .split("\n")
        .slice(1, -1)
        .every((line) => line.includes('"draft":true')),
    ).toBe(true);
    expect(await start(["draft.jsonl"]).ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\d+ of \d+ rows are drafts, such as "/),
    });
    writeFileSync(join(folder, "draft.jsonl"), text.replaceAll(',"draft":true', ""));
    const asked = await start(["draft.jsonl", "--category", "table", "--limit", "2"]).ended;
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringMatching(/table +2 /) });
    const printed = (await start(["--draft", HANDBOOK]).ended).stdout;
    expect(printed.split("\n").slice(1)).toEqual(text.split("\n").slice(1));
  });

  it("drafts with the questions of a model, where one is configured", async () => {
    const question = {
      kind: "contrast",
      question: "How cold is the freezer meant to be?",
      expect: [["-20 °C"]],
      quote: "Freezer; Set point: -20 °C",
    };
    const reply = textReply(JSON.stringify({ questions: [question] }));
    const server = await OpenAiServer.start({ respond: { chat: () => reply } });
    servers.push(server);
    const environment = { READBACK_LLM_BASE_URL: server.baseUrl, READBACK_LLM_API_KEY: server.apiKey };
    const { code, stdout } = await start(["--draft", HANDBOOK], environment).ended;
    expect(code).toBe(0);
    const contrasts = stdout.split("\n").filter((line) => line.includes('"kind":"contrast"'));
    expect(contrasts).toHaveLength(1);
    expect(contrasts[0]).toContain('"document":"cold-room-alarm.md"');
  });

  it("compares two results", async () => {
    const result = (values: readonly number[]) => ({
      id: "x",
      dataset: "d",
      rows: values.map((value, i) => ({ id: `r${i}`, scores: { as_expected: { value } } })),
    });
    writeFileSync(join(folder, "old.json"), JSON.stringify(result([0, 0, 0, 0, 0, 0, 1, 0])));
    writeFileSync(join(folder, "new.json"), JSON.stringify(result([1, 1, 1, 1, 1, 1, 1, 1])));
    const { code, stdout } = await start(["--compare", "old.json", "new.json"]).ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/as_expected +8 +0\.125 +1\.000 +\+0\.875 .*better/);
    expect(await start(["--compare", "old.json"]).ended).toMatchObject({ code: 1 });
    writeFileSync(join(folder, "new.json"), "{}");
    const wrong = await start(["--compare", "old.json", "new.json"]).ended;
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/new\.json is no result of/) });
  });

  it.each([
    [["nothing.jsonl"], 1, /nothing\.jsonl: .*no such file/],
    [[], 1, /name a data set/],
    [[GOLDEN, "--metrics", "bleu"], 2, /There is no "bleu"/],
    [[GOLDEN, "--metrics", "faithfulness"], 1, /faithfulness needs a judge/],
    [[GOLDEN, "--category", "nope"], 1, /there is no category "nope"; there are answerable, /],
    [[GOLDEN, "--min-score", "2"], 2, /a number from 0 to 1/],
    [[GOLDEN, "--limit", "0"], 2, /a whole number/],
    [["keyless.jsonl"], 1, /keyless\.jsonl: line 1: expect: a row that can be answered has to say/],
    [["--draft", "nowhere"], 1, /nowhere cannot be read/],
    [["broken.jsonl"], 1, /broken\.jsonl: line 2: expected\.outcome: /],
  ])("says what is wrong with %j", async (args, code, message) => {
    writeFileSync(join(folder, "keyless.jsonl"), '{"turns":["a"],"answerable":true,"expect":[]}\n');
    writeFileSync(
      join(folder, "broken.jsonl"),
      '{"question":"a"}\n{"question":"b","expected":{"outcome":"x"}}\n',
    );
    expect(await start(args).ended).toMatchObject({ code, stderr: expect.stringMatching(message) });
  });
});
