/** The kiosk's page in a real browser, before a real service: what the tests of the page have in common. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";
import { FLITE_SAMPLE_RATE_HZ, Flite } from "../../src/speech/flite.js";
import { patience } from "../support/patience.js";
import { documents } from "./doors/ask.js";
import { World, type WorldOptions } from "./world.js";

export const TOKEN = "kiosk-token-0123456789-abcdef";

/** Debian's. */
const CHROMIUM = "/usr/bin/chromium";

export const hasChromium = existsSync(CHROMIUM);

/** Shows its source: `features` asks for no persona that would not. */
export const KIOSK = {
  token: TOKEN,
  name: "canteen",
  network: "acme",
  username: "kiosk-1",
  groups: ["shop"],
  languages: ["en", "es"],
  features: [],
};

/** Screens as they are sold: a kiosk on its stand, a wall, a counter, a tablet, a telephone. */
export const SCREENS = [
  ["stand", { width: 1080, height: 1920 }],
  ["wall", { width: 1920, height: 1080 }],
  ["counter", { width: 1280, height: 800 }],
  ["tablet", { width: 768, height: 1024 }],
  ["phone", { width: 390, height: 844 }],
] as const;

export const LANGUAGES = ["en", "de", "es", "fr", "pl", "uk"];

/** Everything that a shop may set. */
export const BRANDED = {
  languages: LANGUAGES,
  brand: {
    name: "Harbour Market",
    logo: fileURLToPath(new URL("../fixtures/kiosk/harbour-market.svg", import.meta.url)),
    accent: "#a3195b",
    background: "#fbf7f9",
    welcome: { en: "Welcome! What are you looking for?" },
  },
  suggestions: { en: ["Where is the canteen?", "Where do I find the first-aid kit?"] },
  call: { text: { en: "Ring 4711 from the red phone beside the door.", uk: "Зателефонуйте 4711." } },
};

/** What the microphone hears, over and over. */
export const SPOKEN = "Where is the canteen?";

export interface KioskOptions {
  readonly world?: WorldOptions;
  /** Settings of this kiosk, over `KIOSK`. */
  readonly kiosk?: Readonly<Record<string, unknown>>;
  readonly context?: Parameters<Browser["newContext"]>[0];
  /** Run in the page before its own scripts. */
  readonly before?: string;
  /** The address behind the service's; as a kiosk's link has it unless given. */
  readonly path?: string;
  /** What the browser complains of in this test, as it should. */
  readonly complaints?: RegExp;
  /** Time in the page stands still but for what the test says. */
  readonly stillClock?: boolean;
}

/** One kiosk, ready to be asked. What must not happen on any page is looked for when the test ends. */
export class KioskPage {
  readonly #requested: string[] = [];
  readonly #complaints: string[] = [];

  private constructor(
    readonly world: World,
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly options: KioskOptions,
  ) {
    page.on("request", (request) => this.#requested.push(request.url()));
    page.on("pageerror", (error) => this.#complaints.push(`page error: ${error.message}`));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.#complaints.push(message.text());
    });
  }

  static async open(options: KioskOptions = {}): Promise<KioskPage> {
    const config = {
      "llm.provider": "offline",
      "speech.provider": "offline",
      "http.kiosks": [{ ...KIOSK, ...options.kiosk }],
      ...options.world?.config,
    };
    const world = await World.start({ documents, ...options.world, config });
    const context = await (await browser()).newContext({
      viewport: { width: 1080, height: 1920 },
      locale: "en-GB",
      reducedMotion: "reduce",
      permissions: ["microphone"],
      ...options.context,
    });
    const page = await context.newPage();
    await page.addInitScript(NOTE_WHAT_WAS_HEARD);
    if (options.before !== undefined) await page.addInitScript(options.before);
    if (options.stillClock === true) await page.clock.install();
    const kiosk = new KioskPage(world, context, page, options);
    onTestFinished(() => kiosk.#assertSound());
    await page.goto(kiosk.address(options.path ?? `/kiosk#token=${TOKEN}`));
    return kiosk;
  }

  address(path: string): string {
    const { http, kiosk = http } = this.world.ports;
    return `http://127.0.0.1:${kiosk}${path}`;
  }

  /** Waits until the page is in this state. */
  async becomes(state: string): Promise<void> {
    try {
      const timeout = PATIENCE_MS;
      await this.page.locator(`html[data-state="${state}"]`).waitFor({ state: "attached", timeout });
    } catch (error) {
      const shown = `${await this.page.getAttribute("html", "data-state")}\n${await this.outline()}`;
      throw new Error(`waited in vain for ${state}; there was ${shown}`, { cause: error });
    }
  }

  /** Presses the button, which is the page's largest, and holds it. */
  async press(): Promise<void> {
    await this.talk.hover();
    await this.page.mouse.down();
  }

  async release(): Promise<void> {
    await this.page.mouse.up();
  }

  async type(question: string): Promise<void> {
    await this.page.getByRole("textbox").fill(question);
    await this.page.keyboard.press("Enter");
  }

  /** Chooses a language, by the name that it has for itself. */
  async choose(language: string): Promise<void> {
    await this.page.locator("#language").click();
    await this.page.locator("#languages").getByText(language).click();
  }

  get talk() {
    return this.page.locator("#talk");
  }

  get answer() {
    return this.page.locator("#answer");
  }

  get suggestions() {
    return this.page.locator("#suggestions button");
  }

  get status() {
    return this.page.getByRole("status");
  }

  /** Lengths in seconds of the sounds that were heard to their end. */
  heard(): Promise<readonly number[]> {
    return this.page.evaluate("window.heard");
  }

  /** What a screen reader finds on the page. */
  outline(): Promise<string> {
    return this.page.locator("body").ariaSnapshot();
  }

  /** Addresses that the page asked for, without this service's. */
  get requested(): readonly string[] {
    return this.#requested.map((url) => url.replace(this.address(""), ""));
  }

  async #assertSound(): Promise<void> {
    await this.context.close();
    const { complaints } = this.options;
    expect(this.#complaints.filter((text) => complaints?.test(text) !== true)).toEqual([]);
    expect(this.requested.filter((url) => !url.startsWith("/") && !url.startsWith("blob:/"))).toEqual([]);
    // A fragment is part of what the page was opened with, and is sent nowhere.
    expect(this.requested.filter((url) => url.split("#")[0]!.includes(TOKEN))).toEqual([]);
    expect(this.world.log).not.toContain(TOKEN);
  }
}

/** For anything that a page does by itself. */
const PATIENCE_MS = patience(15_000);

/** For a whole test: answers are heard at the pace of speech. */
export const KIOSK_TEST_MS_MAX = patience(60_000);

const NOTE_WHAT_WAS_HEARD = `
  window.heard = [];
  document.addEventListener("ended", ({ target }) => window.heard.push(target.duration), true);
`;

let running: Promise<Running> | undefined;

interface Running {
  readonly browser: Browser;
  readonly microphone: string;
}

async function browser(): Promise<Browser> {
  running ??= launch();
  return (await running).browser;
}

/** To be called once by a file of tests that opens kiosks. */
export function closeBrowserAtTheEnd(): void {
  afterAll(async () => {
    const { browser, microphone } = (await running) ?? {};
    running = undefined;
    await browser?.close();
    if (microphone !== undefined) rmSync(dirname(microphone), { recursive: true });
  });
}

async function launch(): Promise<Running> {
  const microphone = await spokenFile();
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      "--autoplay-policy=no-user-gesture-required",
      `--use-file-for-fake-audio-capture=${microphone}`,
    ],
  });
  return { browser, microphone };
}

/** The question as a WAV file, said by the local voice. */
async function spokenFile(): Promise<string> {
  const samples = (await Flite.load("slt")).speak(SPOKEN);
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write("RIFF", 0);
  header.writeUInt32LE(WAV_HEADER_BYTES - 8 + samples.byteLength, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(FLITE_SAMPLE_RATE_HZ, 24);
  header.writeUInt32LE(FLITE_SAMPLE_RATE_HZ * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples.byteLength, 40);
  const path = join(mkdtempSync(join(tmpdir(), "readback-microphone-")), "spoken.wav");
  writeFileSync(path, Buffer.concat([header, new Uint8Array(samples.buffer)]));
  return path;
}

const WAV_HEADER_BYTES = 44;
