/**
 * Changing something, over real sockets and on the example plant, without a model: what is wanted is read back, consented to
 * and verified, and everything else comes to nothing that was done.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { sleep, systemClock } from "../../src/lib/clock.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { patience } from "../support/patience.js";
import { spokenPackets } from "../support/spoken.js";
import { address, post } from "./doors/ask.js";
import { examplePlant, type PlantOptions } from "./plant.js";
import type { TestUser } from "./relay.js";
import { World, type WorldOptions } from "./world.js";

async function begin(options: Partial<WorldOptions> & { readonly plant?: PlantOptions } = {}) {
  const { config = {}, plant: plantOptions, ...rest } = options;
  const plant = examplePlant(plantOptions);
  const world = await World.start({
    clock: systemClock,
    documents: { acme: { "crane.md": "# Crane\n\nThe maximum load of the crane is 900 kg.\n" } },
    config: { "llm.provider": "offline", "operate.mode": "on", sites: [plant.site], ...config },
    ...rest,
  });
  const relay = await world.relay();
  const [ann, ben] = [relay.user("acme", "ann"), relay.user("acme", "ben")];
  return { ann, ben, plant, world, relay };
}

/** The last packet is sent a little before it has been played. */
const BREATH_MS = 400;

let count = 0;

async function told(user: TestUser, text: string, more: object = {}): Promise<string> {
  count += 1;
  const id = `o-${count}`;
  user.ask(text, { request_id: id, ...more });
  return String((await user.answered(id)).text).trim();
}

const wordIn = (readback: string) => /Say confirm (\w+)\./.exec(readback)?.[1] ?? "";

describe("consent", () => {
  test("with the word restarts a printer, once, and its effect is read", async () => {
    const { ann } = await begin();
    const readback = await told(ann, "restart label printer two");
    expect(readback).toMatch(/^Restart label printer two\. .*Say confirm \w+\.$/);
    expect(await told(ann, "yes")).toMatch(/confirm/i);
    expect(await told(ann, `confirm ${wordIn(readback)}`)).toMatch(/Done\. .*running/);
    expect(await told(ann, `confirm ${wordIn(readback)}`)).not.toMatch(/Done/);
    expect(await told(ann, "is label printer two running")).toMatch(/^Yes\./);
  });

  test("is a plain yes for what can be undone", async () => {
    const { ann } = await begin();
    expect(await told(ann, "acknowledge the alarm of press two")).toMatch(/Say yes, or no\.$/);
    expect(await told(ann, "yes")).toMatch(/Done\./);
  });

  test("that is denied, or stopped, or about something else, does nothing", async () => {
    const { ann } = await begin();
    const before = await told(ann, "is pump two running");
    for (const no of ["okay wait don't do that", "no", "stop"]) {
      expect(await told(ann, "stop pump two")).toMatch(/Say confirm/);
      expect(await told(ann, no)).toMatch(/Nothing was done/);
    }
    expect(await told(ann, "is pump two running")).toBe(before);
  });

  test("of whoever tells of an emergency is void, and so is that of a bare cry", async () => {
    const { ann } = await begin();
    const before = await told(ann, "is pump two running");
    for (const cry of ["stop! my arm is stuck in the mixer", "help", "a man fell overboard"]) {
      const readback = await told(ann, "stop pump two");
      await told(ann, cry);
      expect(await told(ann, `confirm ${wordIn(readback)}`)).not.toMatch(/doing it|Done/);
    }
    expect(await told(ann, "is pump two running")).toBe(before);
  });

  test("by a plain yes counts for the readback that was said last, and a denial whatever was said since", async () => {
    const { ann, world } = await begin();
    const session = async (text: string) => {
      const body = { network: "acme", username: "ben", session_id: "s", text };
      const response = await post(world, "/api/v1/answers", body);
      return String(((await response.json()) as { readonly answer: string }).answer);
    };
    for (const [ask, thing, value, other] of [
      [(text: string) => told(ann, text), "press one", 190, 185],
      [session, "freezer one", -22, -23],
    ] as const) {
      expect(await ask(`set ${thing} to ${value}`)).toMatch(/Say yes, or no\.$/);
      expect(await ask("is pump two running")).toMatch(/^Yes\./);
      expect(await ask("yes")).toMatch(new RegExp(`^Set ${thing}.*Say yes, or no\\.$`, "i"));
      expect(await ask("is the label printer running")).toMatch(/Label printer one.*\?$/);
      expect(await ask("label printer one")).toMatch(/Label printer one is/);
      expect(await ask("yes")).toMatch(new RegExp(`^Set ${thing}.*Say yes, or no\\.$`, "i"));
      expect(await ask("yes")).toMatch(/Done\./);
      expect(await ask(`set ${thing} to ${other}`)).toMatch(/Say yes, or no\.$/);
      await ask("is pump two running");
      expect(await ask("no")).toMatch(/Nothing was done/);
      expect(await ask("yes")).not.toMatch(/Done|doing it now/);
    }
  });

  test("that is denied by an order says what became of both", async () => {
    const { ann } = await begin();
    expect(await told(ann, "set press one to 190")).toMatch(/Say yes, or no\.$/);
    expect(await told(ann, "Emergency stop line one")).toMatch(/not an emergency stop.*Nothing was done/);
    expect(await told(ann, "set press one to 190")).toMatch(/Say yes, or no\.$/);
    expect(await told(ann, "Stop pump four")).toMatch(/Nothing was done\. Stop pump four\..*Say confirm/);
    expect(await told(ann, "no")).toMatch(/Nothing was done/);
    expect(await told(ann, "set press one to 190")).toMatch(/Say yes, or no\.$/);
    expect(await told(ann, "What is the maximum load of the crane?")).toMatch(/900/);
    expect(await told(ann, "yes")).toMatch(/Say yes, or no\.$/);
    expect(await told(ann, "Why is pump two not running?")).toMatch(/Nothing was done\.\s\S/);
    expect(await told(ann, "yes")).not.toMatch(/Done|doing it now|Say yes/);
  });

  test("of a second person is asked for what cannot be undone", async () => {
    const { ann, ben } = await begin();
    const readback = await told(ann, "drain tank two");
    expect(readback).toMatch(/second person/);
    const asked = await told(ann, "yes");
    const number = /request (\w+)/.exec(asked)?.[1];
    expect(await told(ann, `request ${number}`)).toMatch(/another person/);
    expect(await told(ben, `request ${number}`)).toMatch(/Drain tank two/);
    expect(await told(ben, "yes")).toMatch(/Done\.|doing it now/);
  });
});

test("one program is not two people: a second person consents over another door than the answers'", async () => {
  const { ben, world } = await begin();
  const as = async (username: string, text: string) => {
    const body = { network: "acme", username, session_id: `of-${username}`, text };
    const response = await post(world, "/api/v1/answers", body);
    return String(((await response.json()) as { readonly answer: string }).answer);
  };
  expect(await as("ann", "drain tank two")).toMatch(/second person/);
  const number = /request (\w+)/.exec(await as("ann", "yes"))?.[1];
  expect(await as("ben", `request ${number}`)).toMatch(/Drain tank two/);
  expect(await as("ben", "yes")).toMatch(/can't take a yes here/);
  expect(await told(ben, `request ${number}`)).toMatch(/Drain tank two/);
  expect(await told(ben, "yes")).toMatch(/Done\.|doing it now/);
});

test("a no of who asked ends it while a second person is looked for", async () => {
  const { ann, ben } = await begin();
  await told(ann, "drain tank two");
  const number = /request (\w+)/.exec(await told(ann, "yes"))?.[1];
  expect(await told(ann, "okay, wait, don't do that")).toMatch(/Nothing was done/);
  expect(await told(ben, `request ${number}`)).toMatch(/no such request/);
  expect(await told(ben, "yes")).not.toMatch(/Done\.|doing it now/);
});

test("a session of HTTP knows until when it may consent, and hears later what came of it", async () => {
  const { plant, world } = await begin({ plant: { settings: { call_ms_max: 20_000 } } });
  const ask = async (text: string) => {
    const body = { network: "acme", username: "cat", session_id: "s", text };
    const response = await post(world, "/api/v1/answers", body);
    return (await response.json()) as { answer: string; approval?: Record<string, string> };
  };
  const { approval } = await ask("set press one to 190");
  const path = `/api/ai/approvals/${approval?.approval_id}?network=acme&username=cat`;
  const shown = (await (await fetch(address(world, path))).json()) as Record<string, string>;
  expect(Math.abs(Date.parse(shown.expires_at!) - Date.parse(approval!.expires_at!))).toBeLessThan(30_000);
  plant.fault("slow set_point 13000");
  expect((await ask("yes")).answer).toMatch(/I'll tell you when I know/);
  await vi.waitFor(
    async () => {
      const { answer } = await ask("What is the maximum load of the crane?");
      expect(answer).toMatch(/Done\. Press one/);
    },
    { timeout: patience(20_000), interval: 500 },
  );
  expect((await ask("What is the maximum load of the crane?")).answer).not.toMatch(/Done/);
});

test("nothing is done where operating is off, or for a dry run, or where a file says so", async () => {
  const off = await begin({ config: { "operate.mode": "off" } });
  expect(await told(off.ann, "restart label printer two")).toMatch(/can't operate/);
  const dry = await begin({ config: { "operate.mode": "dry_run" } });
  const readback = await told(dry.ann, "restart label printer two");
  expect(readback).toMatch(/^This is a dry run\./);
  expect(await told(dry.ann, `confirm ${wordIn(readback)}`)).toMatch(/Nothing was done\./);
  writeFileSync(join(dry.world.dataDir, "operate.off"), "");
  expect(await told(dry.ann, "restart label printer two")).toMatch(/switched off/);
});

test("nothing is done while the ledger cannot be written, and whoever looks after the service is told", async () => {
  const { ann, world } = await begin();
  const ledger = async () => {
    const response = await fetch(address(world, "/readyz"));
    return ((await response.json()) as { readonly ledger?: string }).ledger;
  };
  expect(await ledger()).toBe("ready");
  appendFileSync(join(world.dataDir, "ledger", "rows.jsonl"), "\n");
  expect(await told(ann, "restart label printer two")).toMatch(/I can't record this, so I won't do it/);
  expect(await ledger()).toBe("unavailable");
  expect(await told(ann, "is pump two running")).toMatch(/^Yes\./);
});

describe("by voice", () => {
  async function aloud(options: Parameters<typeof begin>[0] = {}) {
    const bench = await begin({
      config: { "transcription.provider": "openai", "speech.provider": "offline" },
      ...options,
    });
    let mid = 0;
    const say = async (user: TestUser, words: string) => {
      mid += 1;
      bench.world.server.expectTranscription(transcriptReply(words));
      user.say(mid, await spokenPackets(words), { response_type: "audio", request_id: `s-${mid}` });
      return `s-${mid}`;
    };
    const heard = async (user: TestUser, id: string) => String((await user.answered(id)).text).trim();
    return { ...bench, say, heard };
  }

  test("a readback that was heard to its end can be consented to, and one that was cut off cannot", async () => {
    const { ann, heard, say } = await aloud();
    const cut = await say(ann, "restart label printer two");
    await ann.packets(20);
    const early = await say(ann, "confirm anything");
    expect(await heard(ann, cut)).not.toMatch(/Say confirm/);
    const again = await heard(ann, early);
    expect(again).toMatch(/You have not heard all of it\..*Say confirm \w+\.$/);
    await sleep(systemClock, BREATH_MS, new AbortController().signal);
    expect(await heard(ann, await say(ann, `confirm ${wordIn(again)}`))).toMatch(/Done\./);
  });
});
