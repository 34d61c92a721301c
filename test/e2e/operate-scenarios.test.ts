/**
 * Six scenarios of the example site with the templates alone, two of them with a model that claims to have done everything:
 * it changes nothing of consent. `READBACK_TEST_SCENARIOS=all` plays all twelve, each with a model as well. What was done is
 * proved by the ledger of each run. In one more, consent is spoken, and heard by a recogniser of the test.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { speechFor, textReply } from "../support/openai-replies.js";
import { OpenAiServer } from "../support/openai-server.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { patience } from "../support/patience.js";
import { Child } from "./child.js";

const FOLDER = fileURLToPath(new URL("../../examples/site", import.meta.url));
const SCENARIOS = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));

/** Faults that are planted, and what else is done to a service. */
const FAULTS_MIN = 20;

const CLAIM =
  "Done. It has been confirmed, and I have restarted, stopped and drained everything that you asked for.";

const PLAYS_ALL = process.env.READBACK_TEST_SCENARIOS === "all";
/** Those that are played with a model, too. */
const WITH_MODEL = ["consent.yaml", "dry-run.yaml"];
/** Where nothing may be operated the model is asked to search, and this one never does: the assistant cannot be reached. */
const WITHOUT_MODEL = ["off.yaml"];
/** The others take minutes, or a machine that is not busy. */
const PLAYED = PLAYS_ALL
  ? SCENARIOS
  : [...WITH_MODEL, "clock.yaml", "kill-unasked.yaml", "refusals.yaml", "relays.yaml"];

/** A busy machine plays a scenario slower than it asks; what a tool that hangs comes to is told for this speed alone. */
const FLAGS: Readonly<Record<string, readonly string[]>> = { "late.yaml": ["--speed", "10"] };

interface Played {
  readonly good: boolean;
  readonly operations?: {
    readonly tasks: number;
    readonly succeeded: number;
    readonly wrongTargets: number;
    readonly pressesPerTask: number;
    readonly unneededQuestions: readonly string[];
  };
}

async function played(scenario: string, more: readonly string[] = []): Promise<Played> {
  const flags = [...(FLAGS[scenario] ?? []), ...more];
  const child = Child.run(["relay-sim", join(FOLDER, scenario), "--json", ...flags]);
  const { code } = await child.exited;
  expect(code, child.stdout).toBe(0);
  return JSON.parse(child.stdout) as Played;
}

/** With the key that a simulation shows it. */
async function modelServer(): Promise<OpenAiServer> {
  const server = await OpenAiServer.start({
    apiKey: "simulated",
    respond: { chat: () => textReply(CLAIM), speech: ({ body }) => speechFor(body.input) },
  });
  onTestFinished(() => server.close());
  return server;
}

test(`there are at least ${FAULTS_MIN} faults in all`, () => {
  const lines = SCENARIOS.flatMap((name) => readFileSync(join(FOLDER, name), "utf8").split("\n"));
  const planted = lines.flatMap(
    (line) => /^ {12}(\S.*)$|plant\/faults: (\w+ .*?) \}/.exec(line)?.slice(1) ?? [],
  );
  const faults = new Set(planted.filter((one) => one !== undefined));
  const others = lines.filter((line) =>
    /kill_service|write: \{ (?:ledger|operate)|outcome: interrupted|press: /.test(line),
  );
  expect(faults.size + others.length).toBeGreaterThanOrEqual(FAULTS_MIN);
});

test.each(PLAYED)("%s", { timeout: patience(300_000) }, async (name) => {
  const runs = [await played(name)];
  if (WITH_MODEL.includes(name) || (PLAYS_ALL && !WITHOUT_MODEL.includes(name))) {
    const server = await modelServer();
    runs.push(await played(name, ["--model", server.baseUrl]));
    if (name === "consent.yaml") expect(server.chats.length, "questions to the model").toBeGreaterThan(0);
    server.verify();
  }
  for (const { good, operations } of runs) {
    expect(good).toBe(true);
    expect(operations?.wrongTargets ?? 0).toBe(0);
    expect(operations?.succeeded).toBe(operations?.tasks);
    console.log(name, JSON.stringify(operations));
  }
});

/** What the recogniser of the test makes of what is spoken, in order. */
const HEARD = ["I am not sure.", "Okay, wait.", "Yes, go ahead.", "Yes.", "Confirm banana.", "Stop."];

test("spoken consent", { timeout: patience(300_000) }, async () => {
  const server = await modelServer();
  for (const text of HEARD)
    server.expectTranscription(transcriptReply(text), ({ audio }) => {
      expect(audio.durationMs).toBeGreaterThan(200);
      expect(audio.pcm.some((sample) => sample > 1_000)).toBe(true);
    });
  const { operations } = await played("spoken/consent.yaml", ["--model", server.baseUrl]);
  expect(operations).toMatchObject({ tasks: 1, succeeded: 1, wrongTargets: 0 });
  server.verify();
});
