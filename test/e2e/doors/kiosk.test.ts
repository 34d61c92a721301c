/** The kiosk's door over HTTP: who may come in, what is served, and what is turned down. */

import { muxOggOpus } from "@readback/audio";
import { describe, expect, test } from "vitest";
import { loadConfig, printableConfig } from "../../../src/config/load.js";
import { transcriptReply } from "../../support/openai-transcriptions.js";
import { spokenPackets } from "../../support/spoken.js";
import { guideFolder } from "../guide-folder.js";
import type { World, WorldOptions } from "../world.js";
import { address, CANTEEN_SAYS, eventsIn, offline, post } from "./ask.js";

const TOKEN = "kiosk-token-0123456789-abcdef";
const KIOSK = {
  token: TOKEN,
  name: "canteen",
  network: "acme",
  username: "kiosk-1",
  groups: ["shop"],
  features: [],
};
const headers = { authorization: `Bearer ${TOKEN}` };
const QUESTION = "Where is the canteen?";

function withKiosk(kiosk: object = {}, options: WorldOptions = {}): Promise<World> {
  const config = { "http.kiosks": [{ ...KIOSK, ...kiosk }], ...options.config };
  return offline({ ...options, config });
}

const ask = (world: World, body: object) => post(world, "/kiosk/api/ask", body, { headers });

async function refusalOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string; field?: string } };
  return [response.status, error.code, ...(error.field === undefined ? [] : [error.field])].join(" ");
}

describe("the page", () => {
  test("is not there where no kiosk is set up", async () => {
    const world = await offline();
    for (const path of ["/kiosk", "/kiosk/api/config", "/kiosk/assets/style.css"])
      expect((await fetch(address(world, path))).status, path).toBe(404);
  });

  test("may load from here alone, and runs nothing inline", async () => {
    const world = await withKiosk();
    const response = await fetch(address(world, "/kiosk"));
    const html = await response.text();
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self' 'wasm-/,
    );
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
    expect(loaded).toHaveLength(6);
    for (const path of loaded) expect((await fetch(address(world, path))).status, path).toBe(200);
    expect(html).not.toMatch(/<script(?![^>]*src)|<style| on\w+=|style="/);
  });

  test("gives nothing of this machine but its own files", async () => {
    const world = await withKiosk();
    const paths = [
      "page/state.d.ts",
      "page/main.js.map",
      "page/..%2f..%2fpackage.json",
      "audio/..%2fpackage.json",
      "keyboard/index.js",
      "inter/package.json",
      "inter/files/..%2fLICENSE",
      "logos/0000000000000000.svg",
    ];
    for (const path of [...paths, "index.html", "decoder/index.js", "page/.tsbuildinfo", ""])
      expect((await fetch(address(world, `/kiosk/assets/${path}`))).status, path).toBe(404);
    const strings = (await (await fetch(address(world, "/kiosk/assets/strings.json"))).json()) as object;
    expect(Object.keys(strings)).toEqual(expect.arrayContaining(["en", "es"]));
  });
});

describe("the token", () => {
  test("is needed for everything that is asked, and an API key is none", async () => {
    const key = "an-api-key-0123456789";
    const world = await withKiosk({}, { config: { "http.api_keys": [{ key }] } });
    for (const path of ["config", "suggestions", "nothing"])
      expect(await refusalOf(await fetch(address(world, `/kiosk/api/${path}`)))).toBe("401 unauthorized");
    const body = { text: QUESTION, session: "s" };
    for (const bearer of [key, "", `${TOKEN}x`]) {
      const refused = post(world, "/kiosk/api/ask", body, { headers: { authorization: `Bearer ${bearer}` } });
      expect(await refusalOf(await refused)).toBe("401 unauthorized");
    }
    // Nor does a kiosk's token open the API.
    const other = await post(world, "/api/v1/answers", { text: QUESTION }, { headers });
    expect(await refusalOf(other)).toBe("401 unauthorized");
    expect(world.log).not.toContain(TOKEN);
  });

  test("says who asks, whatever the request claims", async () => {
    const world = await withKiosk();
    expect((await ask(world, { text: QUESTION, session: "s" })).status).toBe(200);
    expect((await world.happened("turn_started")).user).toEqual({ network: "acme", username: "kiosk-1" });
    const claims = { text: QUESTION, session: "s", username: "ann" };
    expect(await refusalOf(await ask(world, claims))).toBe("400 bad_parameter username");
  });

  test("is a secret among the settings, and bad ones are complained of without it", () => {
    const settings = (kiosk: object) => ({ READBACK_HTTP_KIOSKS: JSON.stringify([{ ...KIOSK, ...kiosk }]) });
    const { config, file } = loadConfig(settings({}));
    expect(config.http.kiosks[0]).toMatchObject({ token: TOKEN, idleMs: 60_000, features: [] });
    expect(printableConfig(file)).not.toContain(TOKEN);
    for (const bad of [
      { token: "short" },
      { token: `${TOKEN} #` },
      { idle_ms: 5 },
      { language: "?" },
      { netwrok: "a" },
      { volume: 101 },
      { call: {} },
      { brand: { accent: "red" } },
      { suggestions: { en: ["1", "2", "3", "4"] } },
    ]) {
      expect(() => loadConfig(settings(bad))).toThrow(/http\.kiosks/);
      expect(() => loadConfig(settings(bad))).not.toThrow(TOKEN);
    }
  });

  test("may call a colleague only where the settings say whom", async () => {
    const world = await withKiosk({ call: { text: { en: "Ring 4711." } } });
    const call = (body: object) => post(world, "/kiosk/api/call", body, { headers });
    expect(await refusalOf(await call({}))).toBe("404 not_found");
    expect(await refusalOf(await call({ webhook: "http://127.0.0.1:1/" }))).toBe("400 bad_parameter webhook");
    const config = (await (await fetch(address(world, "/kiosk/api/config"), { headers })).json()) as object;
    expect(config).toMatchObject({ call: { text: { en: "Ring 4711." }, reaches: false }, volume: 100 });
  });

  test("is never told where a call goes, and nor is who prints the settings", async () => {
    const webhook = "https://chat.example/hooks/a-secret-path";
    const world = await withKiosk({ call: { webhook } });
    const config = await (await fetch(address(world, "/kiosk/api/config"), { headers })).text();
    expect(config).toContain('"reaches":true');
    expect(config).not.toContain("chat.example");
    const loaded = loadConfig({ READBACK_HTTP_KIOSKS: JSON.stringify([{ ...KIOSK, call: { webhook } }]) });
    expect(printableConfig(loaded.file)).not.toContain("a-secret-path");
  });

  test("of a kiosk that could not be read stops the start", async () => {
    const brand = { text: "#999999", background: "#ffffff" };
    await expect(withKiosk({ brand })).rejects.toThrow(/brand of canteen: text #999999 .* would do/);
  });

  test("of a kiosk that is to speak a language without texts stops the start", async () => {
    await expect(withKiosk({ languages: ["tlh"] })).rejects.toThrow(
      'http.kiosks: there are no texts in "tlh"',
    );
  });
});

describe("a question", () => {
  test("is answered in text and sound as it comes, with its source", async () => {
    const world = await withKiosk();
    const told = eventsIn(await (await ask(world, { text: QUESTION, session: "s" })).text());
    const names = told.map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(["text", "voice", "packet", "finished"]));
    expect(names.at(-1)).toBe("finished");
    expect(told.at(-1)!.data).toMatchObject({
      outcome: "answered",
      text: expect.stringContaining(CANTEEN_SAYS[0]),
      sources: [{ title: "The canteen", quote: CANTEEN_SAYS[0] }],
    });
  });

  test("that is spoken comes back as it was understood, then answered", async () => {
    const world = await withKiosk({}, { config: { "transcription.provider": "openai" } });
    world.server.expectTranscription(transcriptReply(QUESTION), ({ language }) =>
      expect(language).toBe("en"),
    );
    const body = muxOggOpus(await spokenPackets(QUESTION));
    const said = await fetch(address(world, "/kiosk/api/voice?session=s&language=en"), {
      method: "POST",
      headers: { ...headers, "content-type": "audio/ogg" },
      body: new Uint8Array(body),
    });
    const told = eventsIn(await said.text());
    expect(told[0]).toMatchObject({ name: "understood", data: { text: QUESTION } });
    expect(told.at(-1)!.data).toMatchObject({ outcome: "answered" });
    world.server.verify();
  });

  test("of a session is remembered until the session is forgotten", async () => {
    const world = await withKiosk();
    const last = async (text: string) =>
      eventsIn(await (await ask(world, { text, session: "s" })).text()).at(-1)!.data.text;
    const answer = await last(QUESTION);
    expect(await last("Say that again.")).toBe(answer);
    const forget = (session: string) => post(world, "/kiosk/api/forget", { session }, { headers });
    expect((await forget("s")).status).toBe(204);
    expect((await world.happened("chat_closed")).reason).toBe("closed");
    expect(await last("Say that again.")).not.toBe(answer);
    expect((await forget("never-heard-of")).status).toBe(204);
  });

  test("to a guide is answered no more once the session is forgotten, until somebody resumes it", async () => {
    const world = await withKiosk({}, { config: { "guides.dir": guideFolder() } });
    const last = async (text: string) =>
      eventsIn(await (await ask(world, { text, session: "s" })).text()).at(-1)!.data.text;
    expect(await last("Walk me through clear a jam.")).toContain("Close valve crew.");
    expect((await post(world, "/kiosk/api/forget", { session: "s" }, { headers })).status).toBe(204);
    expect(await last("Next.")).toBe("The guide is paused. Say resume to go on.");
    expect(await last("Resume.")).toBe("Going on. Close valve crew.");
  });

  test.each<[string, string, string, string | Uint8Array, string]>([
    ["without words", "ask", "application/json", '{"session":"s","text":" "}', "400 bad_parameter text"],
    ["without a session", "ask", "application/json", '{"text":"a"}', "400 missing_parameter session"],
    ["that is no JSON", "ask", "application/json", "{", "400 bad_json"],
    ["as sound where words belong", "ask", "audio/ogg", "OggS", "415 unsupported_media_type"],
    ["as WebM", "voice?session=s", "audio/webm", "webm", "415 unsupported_media_type"],
    ["as nothing", "voice?session=s", "audio/ogg", new Uint8Array(0), "415 unsupported_audio"],
    ["that is no sound", "voice?session=s", "audio/ogg", "RIFF", "415 unsupported_audio"],
    ["spoken without a session", "voice", "audio/ogg", "OggS", "400 missing_parameter session"],
    ["in no language", "voice?session=s&language=?", "audio/ogg", "OggS", "400 bad_parameter language"],
    ["that is endless", "voice?session=s", "audio/ogg", new Uint8Array(1_100_000), "413 payload_too_large"],
  ])("%s is turned down", async (_what, path, type, body, refusal) => {
    const world = await withKiosk();
    const init = { method: "POST", headers: { ...headers, "content-type": type }, body: body as string };
    expect(await refusalOf(await fetch(address(world, `/kiosk/api/${path}`), init))).toBe(refusal);
  });
});
