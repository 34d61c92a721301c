/** The kiosk's page in a real browser, before a real service: what the tests of the page have in common. */
import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { documents } from "./doors/ask.js";
import { World, type WorldOptions } from "./world.js";

export const TOKEN = "kiosk-token-0123456789-abcdef";

/** Debian's, unless another is named. */
const CHROMIUM = "/usr/bin/chromium";

export const hasChromium = existsSync(CHROMIUM);

export const KIOSK = { token: TOKEN, name: "canteen", network: "acme", username: "kiosk-1", features: [] };

export interface KioskOptions {
  readonly world?: WorldOptions;
  /** Settings of this kiosk, over `KIOSK`. */
  readonly kiosk?: Readonly<Record<string, unknown>>;
  readonly context?: Parameters<Browser["newContext"]>[0];
  /** A WAV file that the microphone hears. */
  readonly microphone?: string;
  /** Run in the page before its own scripts. */
  readonly before?: string;
  /** The address behind the service's; as a kiosk's link has it unless given. */
  readonly path?: string;
}

/** One kiosk, ready to be asked. What must not happen on any page is looked for when the test ends. */
export class KioskPage {
  private constructor(
    readonly world: World,
    readonly page: Page,
    readonly context: BrowserContext,
    /** Addresses of every request that the page made. */
    readonly requested: readonly string[],
    readonly complaints: string[],
  ) {}

  static async open(options: KioskOptions = {}): Promise<KioskPage> {
    const config = {
      "llm.provider": "offline",
      "speech.provider": "offline",
      "http.kiosks": [{ ...KIOSK, ...options.kiosk }],
      ...options.world?.config,
    };
    const world = await World.start({ documents, ...options.world, config });
    const browser = await launch(options.microphone);
    const context = await browser.newContext({
      viewport: { width: 1080, height: 1920 },
      locale: "en-GB",
      reducedMotion: "reduce",
      permissions: ["microphone"],
      ...options.context,
    });
    const page = await context.newPage();
    if (options.before !== undefined) await page.addInitScript(options.before);
    const requested: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    page.on("pageerror", (error) => complaints.push(`page error: ${error.message}`));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    const kiosk = new KioskPage(world, page, context, requested, complaints);
    onTestFinished(() => kiosk.#assertSound(browser));
    await page.goto(kiosk.address(options.path ?? `/kiosk#token=${TOKEN}`));
    return kiosk;
  }

  address(path: string): string {
    return `http://127.0.0.1:${this.world.ports.http}${path}`;
  }

  /** Waits until the page is in this state. */
  async becomes(state: string): Promise<void> {
    await this.page.locator(`html[data-state="${state}"]`).waitFor({ state: "attached" });
  }

  async type(question: string): Promise<void> {
    await this.page.getByRole("textbox").fill(question);
    await this.page.keyboard.press("Enter");
  }

  get talk() {
    return this.page.locator("#talk");
  }

  get answer() {
    return this.page.locator("#answer");
  }

  async #assertSound(browser: Browser): Promise<void> {
    await browser.close();
    expect(this.complaints).toEqual([]);
    const foreign = this.requested.filter((url) => !/^(?:blob:)?http:\/\/127\.0\.0\.1:/.test(url));
    expect(foreign).toEqual([]);
    // A fragment is part of what the page was opened with, and is sent nowhere.
    expect(this.requested.filter((url) => url.split("#")[0]!.includes(TOKEN))).toEqual([]);
    expect(this.world.log).not.toContain(TOKEN);
  }
}

function launch(microphone: string | undefined): Promise<Browser> {
  const hears = microphone === undefined ? [] : [`--use-file-for-fake-audio-capture=${microphone}`];
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      "--autoplay-policy=no-user-gesture-required",
      ...hears,
    ],
  });
}
