/** Settings that are well formed and cannot be right stop the start, with a message that says what to set. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../src/config/load.js";
import { createService } from "../src/main.js";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "readback-settings-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Starts with these settings; resolves with the message that stopped it, or with what it started as. */
async function started(settings: Record<string, unknown>): Promise<string> {
  const free = Object.fromEntries(
    ["relay.port", "http.port", "metrics.port", "grpc.port"].map((name) => [name, 0]),
  );
  const loaded = loadConfig(
    {},
    {
      ...free,
      "llm.keep_warm": false,
      "transcription.provider": "none",
      data_dir: directory,
      shutdown_grace_ms: 0,
      ...settings,
    },
  );
  try {
    const service = await createService(loaded, { logStream: new PassThrough().resume() });
    await service.start();
    await service.stop();
    return "started";
  } catch (error) {
    return (error as Error).message;
  }
}

const KIOSK = { token: "a-token-of-the-canteen", network: "acme", username: "kiosk" };
const ELSEWHERE = "http://127.0.0.1:1/v1";

describe("the start is stopped by", () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    [
      "a folder to sync that is not there",
      { "sync.enabled": true, "sync.network": "acme", "sync.folder": "/nowhere/at/all" },
      /\/nowhere\/at\/all cannot be read.*sync\.folder/,
    ],
    [
      "a model of OpenAI without a key",
      { "llm.provider": "openai" },
      /^llm asks.*api\.openai\.com.*llm\.api_key/,
    ],
    [
      "a model that stands in, at OpenAI, without a key",
      { "llm.base_url": ELSEWHERE, "llm.fallbacks": [{ model: "m", base_url: "https://api.openai.com/v1" }] },
      /^llm\.fallbacks asks/,
    ],
    ["a judge at OpenAI without a key", { "llm.judge.model": "m" }, /^llm\.judge asks/],
    ["a voice of OpenAI without a key", { "speech.provider": "openai" }, /^speech asks.*speech\.api_key/],
    ["ears of OpenAI without a key", { "transcription.provider": "openai" }, /^transcription asks/],
    ["embeddings of OpenAI without a key", { "embedding.provider": "openai" }, /^embedding asks/],
    [
      "a kiosk that is to speak what there are no texts in",
      { "http.kiosks": [{ ...KIOSK, language: "tlh" }] },
      /http\.kiosks.*"tlh".*there are: de, en/,
    ],
  ])("%s", async (_what, settings, message) => {
    expect(await started(settings)).toMatch(message);
  });
});

describe("the start is not stopped by", () => {
  it.each<[string, Record<string, unknown>]>([
    ["a server of somebody else that needs no key", { "llm.base_url": ELSEWHERE }],
    [
      "a key that has lost its service for a while",
      { "llm.api_key": "k", "llm.base_url": ELSEWHERE, "speech.provider": "offline" },
    ],
    ["a kiosk in a country's kind of a language", { "http.kiosks": [{ ...KIOSK, language: "es-MX" }] }],
  ])("%s", async (_what, settings) => {
    expect(await started({ "speech.provider": "offline", ...settings })).toBe("started");
  });
});
