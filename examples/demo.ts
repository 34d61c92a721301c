/**
 * The demonstration behind `npm run demo`: indexes a handbook, starts the service on free ports, and asks eight
 * questions as a relay would, two of them about the example plant and this machine, orders something, as a dry
 * run, and is led through the first three steps of a guide. The spoken answers are written as
 * Ogg Opus files that any player plays, and what the router decided as labelled data, as `readback routes train` takes
 * it. On a terminal it then stays, with a kiosk that answers from the handbook, until Ctrl-C.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import type { CollectedAnswer } from "../src/cli/answer-collector.js";
import { converse } from "../src/cli/conversation.js";
import { ingestTold } from "../src/cli/ingest-told.js";
import { aborted, Interrupted, listenForInterruption } from "../src/cli/interruption.js";
import { RelayClient } from "../src/cli/relay-client.js";
import { withIngestion } from "../src/compose/ingestion.js";
import { loadConfig } from "../src/config/load.js";
import { sleep, systemClock } from "../src/lib/clock.js";
import { printable } from "../src/lib/printable.js";
import { systemRandom } from "../src/lib/random.js";
import { createService } from "../src/main.js";
import { labelledLine } from "../src/routing/labelled-data.js";
import { RouteLog } from "../src/store/route-log.js";
import type { TelemetryEvent } from "../src/telemetry/events.js";

const NETWORK = "acme";
const HANDBOOK = fileURLToPath(new URL("../../examples/handbook/", import.meta.url));
const GUIDE = fileURLToPath(new URL("../../examples/guides/clear-a-jam.yaml", import.meta.url));
const PLANT = fileURLToPath(new URL("../../examples/site/", import.meta.url));
const OUTPUT = fileURLToPath(new URL("../../demo-output/", import.meta.url));

interface Question {
  readonly why: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly features: readonly string[];
  /** Said, or made of what was heard last. */
  readonly text: string | ((heard: string) => string);
}

const QUESTIONS: readonly Question[] = [
  {
    why: "a question that the handbook answers",
    username: "maria",
    groups: ["packing"],
    features: [],
    text: "How long do I cool a burn?",
  },
  {
    why: "about the answer before: no search, no model",
    username: "maria",
    groups: ["packing"],
    features: [],
    text: "What is your source?",
  },
  {
    why: "there is no valve here that could be operated, and no document tells how: it says so",
    username: "maria",
    groups: ["packing"],
    features: [],
    text: "Open valve 3.",
  },
  {
    why: "a document that this user may not read",
    username: "maria",
    groups: ["packing"],
    features: [],
    text: "What are the monthly pay bands for machine operation?",
  },
  {
    why: "something that is in no document: it sounds exactly the same",
    username: "tom",
    groups: [],
    features: [],
    text: "What is the wifi password of the canteen?",
  },
  {
    why: "a kiosk in the shop, which reads only what it was given",
    username: "kiosk-1",
    groups: ["kiosks"],
    features: ["kiosk"],
    text: "When is the shop open on Saturday?",
  },
  {
    why: "the example plant, a server of MCP that the service started: what it is right now",
    username: "maria",
    groups: ["packing"],
    features: [],
    text: "Is the label printer on line three up?",
  },
  {
    why: "the machine that all this runs on",
    username: "maria",
    groups: ["packing"],
    features: [],
    text: "How much memory is free?",
  },
  {
    why: "an order: what would be done is read back, and waits for a word (this is a dry run)",
    username: "maria",
    groups: ["packing"],
    features: [],
    text: "Restart label printer three.",
  },
  {
    why: "consent, with the word that this readback asked for",
    username: "maria",
    groups: ["packing"],
    features: [],
    text: (heard) => `Confirm ${/Say confirm (\w+)/.exec(heard)?.[1] ?? "what?"}.`,
  },
  ...(
    [
      [
        "a guide: it asks what it needs to know, and leads step by step",
        "Walk me through clearing a jam on line two.",
      ],
      ["what was heard is read back before it counts", "At the infeed."],
      ["the first step is a question", "Yes."],
      ["the second step", "Both of them."],
      ["the third, with its warning first", "Done."],
    ] as const
  ).map(([why, text]) => ({ why, username: "maria", groups: ["packing"], features: [], text })),
];

/** Nobody answers before the last word is over: what is said earlier is no consent. In milliseconds. */
const BREATH_MS = 1_000;

/** Whom the kiosk asks as: on the radio's terms, so that it names its sources. */
const KIOSK = { name: "demo", network: NETWORK, username: "visitor", groups: ["packing"], features: [] };

const interruption = listenForInterruption();
try {
  await demonstrate(interruption.signal);
} catch (error) {
  if (!(error instanceof Interrupted)) throw error;
  process.exitCode = 130;
} finally {
  interruption.dispose();
}

async function demonstrate(signal: AbortSignal): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "readback-demo-"));
  try {
    // Whoever reads a terminal may go on asking; a pipeline wants it to end.
    const token = process.stdout.isTTY ? systemRandom.id() + systemRandom.id() : undefined;
    const kiosk = token === undefined ? {} : { "http.kiosks": [{ ...KIOSK, token }], "http.kiosk_port": 0 };
    const loaded = loadConfig(process.env, {
      ...kiosk,
      "http.kiosk_host": "127.0.0.1",
      data_dir: dataDir,
      "relay.host": "127.0.0.1",
      "relay.port": 0,
      "http.port": 0,
      "metrics.port": 0,
      "grpc.port": 0,
      "routing.log_intents": true,
      "operate.mode": "dry_run",
      sites: await sitesIn(dataDir),
    });
    await cp(GUIDE, join(dataDir, "guides", NETWORK, "clear-a-jam.yaml"));
    heading("Indexing the handbook");
    await withIngestion(loaded.config, (ingestion) =>
      ingestTold({ address: HANDBOOK, network: NETWORK }, [], loaded.config, ingestion, signal),
    );

    const events: TelemetryEvent[] = [];
    const service = await createService(loaded, {
      subscriber: (event) => {
        events.push(event);
        if (event.type === "sentence_spoken") say(`           ${event.text.trim()}`);
      },
      logStream: new PassThrough().resume(),
    });
    const ports = await service.start();
    try {
      heading("The service runs");
      for (const line of startLines(events)) say(line);
      await askAll(ports.relay, events, signal);
      if (ports.kiosk !== undefined) {
        heading("Now ask yourself, by voice or by hand: open this link; Ctrl-C ends it");
        say(`http://localhost:${ports.kiosk}/kiosk#token=${token}`);
        await aborted(signal);
      }
    } finally {
      await service.stop();
    }
    await writeRoutes(dataDir);
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/** The example plant, which keeps its state with the rest, and this machine. */
async function sitesIn(dataDir: string): Promise<readonly object[]> {
  const { sites } = JSON.parse(await readFile(join(PLANT, "settings.json"), "utf8")) as { sites: [object] };
  const server = fileURLToPath(new URL("./site/server.js", import.meta.url));
  const command = [process.execPath, server, "--state", join(dataDir, "plant")];
  const plant = { ...sites[0], server: { type: "mcp", command } };
  return [plant, { name: "machine", networks: [NETWORK], server: { type: "host" } }];
}

async function askAll(port: number, events: TelemetryEvent[], signal: AbortSignal): Promise<void> {
  await mkdir(OUTPUT, { recursive: true });
  const client = await RelayClient.connect({ host: "127.0.0.1", port }, systemClock, signal);
  const onAbort = () => client.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    let heard = "";
    for (const [i, { text: said, why, ...who }] of QUESTIONS.entries()) {
      const text = typeof said === "string" ? said : said(heard);
      const { username, groups } = who;
      if (text !== said) await sleep(systemClock, BREATH_MS, signal);
      heading(`${i + 1}. ${[username, ...groups].join(", ")}: “${text}”`);
      say(why);
      events.length = 0;
      const asking = { network: NETWORK, responseType: "audio", asked: text, ...who } as const;
      const answer = await converse(client, asking, say);
      heard = answer.text ?? "";
      await report(answer, events, join(OUTPUT, `${i + 1}-${username}.ogg`));
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    client.close();
  }
}

/** What the router decided, kept here because the demonstration switches that on. */
async function writeRoutes(dataDir: string): Promise<void> {
  const path = join(OUTPUT, "routes.jsonl");
  const log = new RouteLog(dataDir, { clock: systemClock, telemetry: { emit: () => undefined } });
  try {
    const rows = (await log.list()).map(labelledLine);
    await writeFile(path, rows.join(""));
    heading(`${rows.length} routes were decided`);
    say(`→ ${relative(process.cwd(), path)}`);
  } finally {
    await log.close();
  }
}

async function report(
  answer: CollectedAnswer,
  events: readonly TelemetryEvent[],
  path: string,
): Promise<void> {
  const file = answer.oggFile();
  if (file === undefined)
    throw new Error(`No audio came: ${answer.error?.error ?? "the answer was text only"}`);
  await writeFile(path, file);
  say(sourceText(events));
  say(`→ ${relative(process.cwd(), path)}`);
}

function startLines(events: readonly TelemetryEvent[]): readonly string[] {
  const started = events.find((event) => event.type === "service_started");
  if (started === undefined) throw new Error("The service did not say that it has started.");
  const { engine, speech, relay, http, metrics } = started;
  return [
    `answers: ${engine}`,
    `voice: ${speech}`,
    `relays on port ${relay}, HTTP on ${http}, metrics on ${metrics}`,
  ];
}

function sourceText(events: readonly TelemetryEvent[]): string {
  const result = events.find((event) => event.type === "turn_finished")?.result ?? "unknown";
  const documents = events.find((event) => event.type === "passages_retrieved")?.documentIds;
  if (documents === undefined) return `outcome: ${result}; nothing was searched`;
  // An id ends with a digest of the document's place, which is of no interest here.
  const names = documents.map((id) => id.replace(/-[0-9a-f]{16}$/, ""));
  const looked =
    names.length === 0 ? "nothing that this user may read fits" : `passages of ${names.join(", ")}`;
  return `outcome: ${result}; looked at: ${looked}`;
}

function heading(text: string): void {
  console.log(`\n${text}`);
}

function say(line: string): void {
  console.log(`   ${printable(line)}`);
}
