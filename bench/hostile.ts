/**
 * One relay beside a hostile one: its keep_alives and the time to its answers' first sound or text, alone and while 1,
 * 10 and 100 hostile users on one relay send what costs most, with a flood of frames beside them. Without a model: the
 * answers are looked up and spoken in this machine, where work of one user can hold up another's; and with a site of a
 * thousand names, which every question is held against. In one run:
 *
 *     node dist/bench/hostile.js
 */
import { pathToFileURL } from "node:url";
import { Child } from "./support/child.js";
import { machineDocument } from "./support/exchange.js";
import type { HostileCalls } from "./support/hostile.child.js";
import { withKnowledge } from "./support/knowledge.js";
import type { ProbeCalls, Probed } from "./support/probe.child.js";
import { NETWORK } from "./support/relay.js";
import type { ServiceCalls } from "./support/service.child.js";
import { median, summarize, verdict } from "./support/stats.js";

const CROWDS = [0, 1, 10, 100];
const PROBE_MS = 10_000;
/** How long a crowd is at it before it is looked at what it does. */
const LEAD_MS = 2_000;
const WARM_UP_MS = 3_000;

const KEEP_ALIVE_AIM_MS = 100;
/** Answers start within so many times their usual time. */
const ANSWER_AIM = 2;

const NAMES = 1_000;
const KINDS = ["pump", "press", "label printer", "conveyor", "mixer", "freezer", "filler"];
const HALLS = 9;
const SITE = {
  name: "plant",
  networks: [NETWORK],
  server: { type: "host" },
  resources: Array.from({ length: NAMES }, (_, i) => {
    const [kind, area] = [KINDS[i % KINDS.length]!, `hall ${i % HALLS}`];
    return { address: `unit-${i}`, kind: "service", names: [`${kind} ${i}`, `${kind} ${area}`], area };
  }),
};

const OFFLINE = {
  ...{ "llm.base_url": undefined, "llm.api_key": undefined, "speech.provider": "offline" },
  sites: [SITE],
};

export async function run(): Promise<void> {
  console.log(
    `A relay beside a hostile one: keep_alive, aim: p99 under ${KEEP_ALIVE_AIM_MS} ms; answers: ms to the`,
  );
  console.log(`first packet or text, aim: median within ${ANSWER_AIM} times the usual`);
  await withKnowledge(measure, { "work-on-a-machine.md": machineDocument(0) });
}

async function measure(dataDir: string): Promise<void> {
  const service = new Child<ServiceCalls>("service.child", { stderr: "pipe" });
  const probe = new Child<ProbeCalls>("probe.child");
  const hostile = new Child<HostileCalls>("hostile.child");
  try {
    const { relay: port } = await service.call("start", { dataDir, baseUrl: "", settings: OFFLINE });
    await probe.call("probe", { port, forMs: WARM_UP_MS });
    let usual: Probed | undefined;
    for (const users of CROWDS) {
      if (users > 0) await hostile.call("start", { port, users });
      await new Promise((resolve) => setTimeout(resolve, LEAD_MS));
      const probed = await probe.call("probe", { port, forMs: PROBE_MS });
      const sent = users > 0 ? await hostile.call("stop", undefined) : { questions: 0, frames: 0 };
      usual ??= probed;
      report(users, sent, probed, usual);
    }
  } finally {
    await Promise.all([hostile.stop(), probe.stop(), service.stop()]);
  }
}

function report(
  users: number,
  sent: { readonly questions: number; readonly frames: number },
  probed: Probed,
  usual: Probed,
): void {
  const { count, p50, p99, max } = summarize(probed.keepAlivesMs);
  console.log(`\n  ${users} hostile users (${sent.questions} questions, ${sent.frames} other frames sent)`);
  const keepAlive = [p50, p99, max].map((ms) => ms.toFixed(1).padStart(9)).join("");
  console.log(
    `    keep_alive p50, p99, max${keepAlive} ms of ${count}   aim ${verdict(p99, KEEP_ALIVE_AIM_MS)}`,
  );
  for (const [what, ms, usualMs] of [
    ["spoken", probed.spokenMs, usual.spokenMs],
    ["written", probed.writtenMs, usual.writtenMs],
  ] as const) {
    const times = median(ms) / median(usualMs);
    const figures = [median(ms), Math.max(...ms)].map((value) => value.toFixed(0).padStart(9)).join("");
    console.log(
      `    ${`${what} answer p50, max`.padEnd(24)}${figures} ms of ${ms.length}, ${times.toFixed(1)} × usual   ` +
        `aim ${verdict(times, ANSWER_AIM)}`,
    );
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await run();
