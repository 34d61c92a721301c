/** The kiosk's page as people use it, in Chromium. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { muxOggOpus } from "@readback/audio";
import { describe, expect, test, vi } from "vitest";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { CANTEEN_SAYS, eventsIn } from "./doors/ask.js";
import { closeBrowserAtTheEnd, hasChromium, KIOSK_TEST_MS_MAX, KioskPage, SPOKEN } from "./kiosk-page.js";
import { temporaryDirectory } from "./world.js";

const QUESTION = "Where is the canteen?";
const ANSWER = CANTEEN_SAYS[0];
const UNKNOWN = "Who won the chess championship of 1972?";

vi.setConfig({ testTimeout: KIOSK_TEST_MS_MAX });
closeBrowserAtTheEnd();

describe.skipIf(!hasChromium)("somebody at the kiosk (Chromium, from the Debian package)", () => {
  test("types a question, reads the answer with its source, and hears it to its end", async () => {
    const kiosk = await KioskPage.open();
    await kiosk.becomes("ready");
    const replied = kiosk.page.waitForResponse(/\/kiosk\/api\/ask$/);
    await kiosk.type(QUESTION);
    await kiosk.becomes("speaking");
    await kiosk.becomes("answered");
    expect(await kiosk.answer.textContent()).toContain(ANSWER);
    expect(await kiosk.page.locator("#sources").textContent()).toContain(`The canteen`);
    expect(await kiosk.page.locator("blockquote").textContent()).toBe(ANSWER);
    const seconds = secondsOf(eventsIn(await (await replied).text()));
    expect(seconds).toBeGreaterThan(2);
    const [heard, ...others] = await kiosk.heard();
    expect(others).toEqual([]);
    expect(heard).toBeCloseTo(seconds, 1);
  });

  test("taps a question that is suggested", async () => {
    const kiosk = await KioskPage.open();
    const suggestion = kiosk.suggestions.filter({ hasText: "canteen" }).first();
    const question = await suggestion.textContent();
    await suggestion.click();
    await kiosk.becomes("answered");
    expect(await kiosk.page.locator("#asked").textContent()).toBe(question);
    expect(await kiosk.answer.textContent()).toContain("canteen");
    expect(await kiosk.suggestions.first().isVisible()).toBe(false);
  });

  test("hears it again, and silences it", async () => {
    const kiosk = await KioskPage.open();
    await kiosk.type(QUESTION);
    await kiosk.becomes("answered");
    await kiosk.page.getByRole("button", { name: "Repeat" }).click();
    await kiosk.becomes("speaking");
    await kiosk.page.getByRole("button", { name: "Stop" }).click();
    await kiosk.becomes("answered");
    expect(await kiosk.heard()).toHaveLength(1);
    expect(await kiosk.answer.textContent()).toContain(ANSWER);
  });

  test("interrupts by pressing, and is heard at once", async () => {
    const kiosk = await KioskPage.open();
    await kiosk.type(QUESTION);
    await kiosk.becomes("speaking");
    await kiosk.press();
    expect(await kiosk.page.evaluate("document.querySelector('audio').paused")).toBe(true);
    await kiosk.becomes("listening");
    expect(await kiosk.status.textContent()).toBe("Listening");
    expect(await kiosk.heard()).toEqual([]);
  });

  test("taps where holding is meant, and is told so", async () => {
    const kiosk = await KioskPage.open();
    await kiosk.talk.click();
    await kiosk.becomes("ready");
    expect(await kiosk.status.textContent()).toBe("Keep the button pressed while you speak.");
    expect(kiosk.requested.filter((url) => url.includes("api/voice"))).toEqual([]);
  });

  test("holds the button and speaks: what was said is understood, answered and heard", async () => {
    const kiosk = await KioskPage.open({ world: { config: { "transcription.provider": "openai" } } });
    const { server } = kiosk.world;
    for (const presses of [1, 2]) {
      server.expectTranscription(transcriptReply(SPOKEN), ({ language }) => expect(language).toBeUndefined());
      await kiosk.press();
      await kiosk.becomes("listening");
      // A person speaks for so long.
      await kiosk.page.waitForTimeout(HELD_MS);
      await kiosk.release();
      await kiosk.becomes("speaking");
      expect(await kiosk.page.locator("#asked").textContent()).toBe(SPOKEN);
      await kiosk.becomes("answered");
      expect(await kiosk.answer.textContent()).toContain(ANSWER);
      const { audio } = server.transcriptions[presses - 1]!;
      expect(audio.channels).toBe(1);
      expect(audio.durationMs).toBeGreaterThanOrEqual(HELD_MS);
      expect(rms(audio.pcm)).toBeGreaterThan(AUDIBLE);
    }
    server.verify();
    expect(await kiosk.heard()).toHaveLength(2);
  });

  test("is told so when nobody can understand speech here", async () => {
    const kiosk = await KioskPage.open({
      complaints: /503/,
      world: { config: { "transcription.provider": "none" } },
    });
    await kiosk.press();
    await kiosk.becomes("listening");
    await kiosk.page.waitForTimeout(HELD_MS);
    await kiosk.release();
    await kiosk.becomes("failed");
    expect(await kiosk.page.getByRole("alert").textContent()).toMatch(/type it/);
  });

  test("asks what nobody knows, and is sent to a colleague", async () => {
    const kiosk = await KioskPage.open();
    await kiosk.type(UNKNOWN);
    await kiosk.becomes("unanswered");
    expect(await kiosk.status.textContent()).toBe("Please ask a colleague.");
  });

  test("sees no source where the kiosk is to show none", async () => {
    const kiosk = await KioskPage.open({ kiosk: { show_source: false } });
    const replied = kiosk.page.waitForResponse(/\/kiosk\/api\/ask$/);
    await kiosk.type(QUESTION);
    await kiosk.becomes("answered");
    expect(await kiosk.page.locator("#sources").isVisible()).toBe(false);
    // Nor is the page told.
    const last = eventsIn(await (await replied).text()).at(-1);
    expect(last).toMatchObject({ name: "finished", data: { sources: [] } });
  });

  test("does all of it by keyboard", async () => {
    const kiosk = await KioskPage.open();
    const { keyboard } = kiosk.page;
    await kiosk.becomes("ready");
    const focused = () =>
      kiosk.page.evaluate("document.activeElement.id || document.activeElement.textContent");
    await kiosk.suggestions.first().waitFor();
    const suggested = await kiosk.suggestions.allTextContents();
    const wanted = ["volume", "language", ...suggested, "talk", "question", "Send"];
    const order: unknown[] = [];
    for (const _ of wanted) {
      await keyboard.press("Tab");
      order.push(await focused());
    }
    expect(order).toEqual(wanted);
    await kiosk.talk.focus();
    for (const key of [" ", "Enter"]) {
      await keyboard.down(key);
      await kiosk.becomes("listening");
      expect(await kiosk.talk.getAttribute("aria-pressed")).toBe("true");
      await keyboard.down(key);
      await keyboard.press("Tab");
      // Who leaves the button has let go of it, and asked nothing.
      await kiosk.becomes("ready");
      await keyboard.up(key);
      await kiosk.talk.focus();
    }
    await kiosk.page.getByRole("textbox").focus();
    await keyboard.type(QUESTION);
    await keyboard.press("Enter");
    await kiosk.becomes("answered");
  });

  test("chooses Spanish, and the page and the answer follow", async () => {
    const kiosk = await KioskPage.open();
    await kiosk.becomes("ready");
    await kiosk.choose("Español");
    expect(await kiosk.page.getAttribute("html", "lang")).toBe("es");
    expect(await kiosk.talk.textContent()).toContain("Mantenga pulsado para hablar");
    const asked = kiosk.page.waitForRequest(/\/kiosk\/api\/ask$/);
    await kiosk.type(UNKNOWN);
    expect((await asked).postDataJSON()).toMatchObject({ language: "es" });
    await kiosk.becomes("unanswered");
    expect(await kiosk.status.textContent()).toBe("Pregunte a un compañero, por favor.");
    expect(await kiosk.answer.textContent()).toMatch(/documentos/);
  });
});

describe.skipIf(!hasChromium)("the page", () => {
  test("forgets when nobody has been there for a minute, here and at the service", async () => {
    const kiosk = await KioskPage.open({ stillClock: true });
    await kiosk.type(QUESTION);
    await kiosk.becomes("answered");
    await kiosk.page.getByRole("textbox").fill("half a question");
    await kiosk.page.clock.fastForward(55_000);
    await kiosk.page.mouse.click(500, 500);
    await kiosk.page.clock.fastForward(55_000);
    await kiosk.becomes("answered");
    await kiosk.page.clock.fastForward(10_000);
    await kiosk.becomes("ready");
    expect(await kiosk.answer.textContent()).toBe("");
    expect(await kiosk.page.getByRole("textbox").inputValue()).toBe("");
    expect((await kiosk.world.happened("chat_closed")).reason).toBe("closed");
  });

  test("says when there is no connection, and comes back by itself", async () => {
    const kiosk = await KioskPage.open({ complaints: /ERR_INTERNET_DISCONNECTED/, stillClock: true });
    await kiosk.becomes("ready");
    // Even from under the keys.
    await kiosk.page.getByRole("textbox").click();
    await kiosk.context.setOffline(true);
    await kiosk.becomes("offline");
    expect(await kiosk.page.getByRole("alert").textContent()).toBe("No connection. Please ask a colleague.");
    expect(await kiosk.talk.isDisabled()).toBe(true);
    await kiosk.context.setOffline(false);
    await kiosk.page.clock.fastForward(30_000);
    await kiosk.becomes("ready");
  });

  test("notices a service that is gone, keeps the answer on the screen, and goes on when it is back", async () => {
    const kiosk = await KioskPage.open({ complaints: /503|Failed to load/, stillClock: true });
    await kiosk.type(QUESTION);
    await kiosk.becomes("answered");
    await kiosk.page.route("**/kiosk", (route) => route.abort());
    await kiosk.page.clock.fastForward(10_000);
    await kiosk.becomes("offline");
    expect(await kiosk.answer.textContent()).toContain(ANSWER);
    await kiosk.page.unroute("**/kiosk");
    await kiosk.page.clock.fastForward(10_000);
    await kiosk.becomes("answered");
  });

  test("is not taken for gone at a port of its own, which has the kiosk's addresses alone", async () => {
    const kiosk = await KioskPage.open({ world: { config: { "http.kiosk_port": 0 } }, stillClock: true });
    await kiosk.becomes("ready");
    for (let look = 0; look < 3; look++) {
      const looked = kiosk.page.waitForResponse((response) => response.request().method() === "HEAD");
      await kiosk.page.clock.fastForward(10_000);
      expect((await looked).status()).toBe(200);
      expect(await kiosk.page.getByRole("alert").isVisible()).toBe(false);
    }
  });

  test("loses an answer in the middle, and says so", async () => {
    const kiosk = await KioskPage.open({ complaints: /Failed to load/ });
    await kiosk.page.route("**/kiosk/api/ask", (route) => route.abort());
    await kiosk.type(QUESTION);
    await kiosk.becomes("offline");
  });

  test("keeps its token to itself: it is gone from the address, and still known after a reload", async () => {
    const kiosk = await KioskPage.open();
    await kiosk.becomes("ready");
    expect(new URL(kiosk.page.url()).hash).toBe("");
    await kiosk.page.goto(kiosk.address("/kiosk"));
    await kiosk.becomes("ready");
  });

  test.each(["/kiosk", "/kiosk#token=a-token-that-nobody-gave-out"])("is locked at %s", async (path) => {
    const kiosk = await KioskPage.open({ path, complaints: /401/ });
    await kiosk.becomes("locked");
    expect(await kiosk.page.getByRole("alert").textContent()).toContain("not set up yet");
    expect(await kiosk.talk.isDisabled()).toBe(true);
  });

  test("plays by a decoder of its own where the browser has no MediaSource", async () => {
    const kiosk = await KioskPage.open({ before: `delete window.MediaSource; ${NOTE_WHAT_WAS_PLAYED}` });
    await kiosk.type(QUESTION);
    await kiosk.becomes("speaking");
    await kiosk.becomes("answered");
    expect(kiosk.requested).toContain("/kiosk/assets/decoder/ogg-opus-decoder.min.js");
    const seconds = (await kiosk.page.evaluate("window.played")) as number;
    expect(seconds).toBeGreaterThan(SECONDS_MIN);
  });

  test("offers no microphone where there is none to be had", async () => {
    const kiosk = await KioskPage.open({ before: "delete window.AudioEncoder" });
    await kiosk.becomes("ready");
    expect(await kiosk.talk.isVisible()).toBe(false);
    await kiosk.type(QUESTION);
    await kiosk.becomes("answered");
  });

  test("says that the microphone is blocked, and is typed to", async () => {
    const blocked =
      "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('no', 'NotAllowedError'); }";
    const kiosk = await KioskPage.open({ before: blocked });
    await kiosk.becomes("ready");
    await kiosk.press();
    await kiosk.becomes("failed");
    await kiosk.release();
    expect(await kiosk.page.getByRole("alert").textContent()).toContain("The microphone is blocked");
    await kiosk.type(QUESTION);
    await kiosk.becomes("answered");
  });
});

describe.skipIf(!hasChromium)("who cannot see or reach well", () => {
  test("hears of every state what there is to know and to do", async () => {
    const kiosk = await KioskPage.open({ complaints: /DISCONNECTED/ });
    await kiosk.page.route("**/kiosk/api/suggestions?*", (route) =>
      route.fulfill({ json: { questions: [QUESTION] } }),
    );
    await kiosk.page.reload();
    await kiosk.becomes("ready");
    await kiosk.page.getByRole("button", { name: QUESTION }).waitFor();
    const controls = ["- text: Type your question", '- textbox "Type your question"', '- button "Send"'];
    const top = [
      "- paragraph: Readback",
      '- button "Volume 100 %"',
      "- 'button \"Language: English\"': English",
    ];
    const outline = async () => (await kiosk.outline()).split("\n").map((line) => line.trim());
    expect(await outline()).toEqual([
      "- banner:",
      ...top,
      "- main:",
      '- heading "Ask a question" [level=1]',
      '- region "You could ask":',
      '- heading "You could ask" [level=2]',
      "- list:",
      "- listitem:",
      `- button "${QUESTION}"`,
      "- contentinfo:",
      "- status: Hold the button and ask.",
      '- button "Hold to talk"',
      ...controls,
    ]);
    await kiosk.page.getByRole("button", { name: QUESTION }).click();
    await kiosk.becomes("speaking");
    const speaking = await outline();
    expect(speaking).toContain("- status: Speaking");
    expect(speaking).toContain(`- heading "${QUESTION}" [level=1]`);
    expect(speaking).toContain('- button "Stop"');
    await kiosk.becomes("answered");
    const answered = await outline();
    expect(answered).toContain('- region "Source":');
    expect(answered.slice(answered.indexOf("- contentinfo:") + 1)).toEqual([
      "- status: Hold the button and ask.",
      '- button "Repeat"',
      '- button "Hold to talk"',
      '- button "Back to start"',
      ...controls,
    ]);
    await kiosk.press();
    await kiosk.becomes("listening");
    const listening = await outline();
    expect(listening).toContain("- status: Listening");
    expect(listening).toContain('- button "Release to send" [pressed]');
    await kiosk.release();
    await kiosk.context.setOffline(true);
    await kiosk.becomes("offline");
    const offline = await outline();
    expect(offline).toContain("- alert: No connection. Please ask a colleague.");
    expect(offline).toContain('- button "Hold to talk" [disabled]');
  });

  test("presses with one click of an aid that can only click, and lets go with the next", async () => {
    const kiosk = await KioskPage.open();
    await kiosk.becomes("ready");
    await kiosk.talk.dispatchEvent("click", { detail: 0 });
    await kiosk.becomes("listening");
    await kiosk.page.waitForTimeout(HELD_MS);
    await kiosk.talk.dispatchEvent("click", { detail: 0 });
    await kiosk.becomes("thinking");
  });
});

/** Seconds of sound that Web Audio played to their end. */
const NOTE_WHAT_WAS_PLAYED = `
  window.played = 0;
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (...when) {
    this.addEventListener("ended", () => { window.played += this.buffer.duration; });
    start.apply(this, when);
  };
`;

/** The answer is longer than that. */
const SECONDS_MIN = 2;

const HELD_MS = 1_500;

/** Of full scale, 32,768. */
const AUDIBLE = 300;

function rms(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** The length of the sound that was told, as independent judges find it. */
function secondsOf(told: ReturnType<typeof eventsIn>): number {
  const packets = told
    .filter(({ name }) => name === "packet")
    .map(({ data }) => Buffer.from(data.data as string, "base64"));
  const path = join(temporaryDirectory(), "answer.opus");
  writeFileSync(path, muxOggOpus(packets));
  const info = spawnSync("opusinfo", [path], { encoding: "utf8" });
  expect(info.stdout + info.stderr).not.toMatch(/WARNING|ERROR/);
  const args = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path];
  return Number(spawnSync("ffprobe", args, { encoding: "utf8" }).stdout);
}
