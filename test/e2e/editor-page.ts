/** The editor's page in a real browser, before a real service: what the tests of the page have in common. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";
import { patience } from "../support/patience.js";
import { address, documents, post } from "./doors/ask.js";
import { World, type WorldOptions } from "./world.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = JSON.stringify({
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  rules: { "color-contrast-enhanced": { enabled: true } },
});

export const EDITOR_KEYS = {
  ann: { key: "ann-key-0123456789", networks: ["acme"], username: "ann", roles: ["ask", "author"] },
  bob: { key: "bob-key-0123456789", networks: ["acme"], username: "bob", roles: ["ask", "approve"] },
  cleo: { key: "cleo-key-0123456789", networks: ["acme"], username: "cleo" },
} as const;
export type EditorUser = keyof typeof EDITOR_KEYS;

/** For a whole test. */
export const EDITOR_TEST_MS_MAX = patience(90_000);
/** For anything that the page does by itself; it looks every three seconds what others did. */
const PAGE_MS_MAX = patience(30_000);

export const OPEN = { id: "open", kind: "instruct", title: "Open the cabinet", text: "Open the cabinet." };
export const PRESS = { id: "press", kind: "instruct", title: "Press reset", text: "Press the reset button." };
export const END = { id: "end", kind: "end", title: "Done" };
export const TREE = [
  {
    id: "lamp",
    kind: "question",
    text: "What does the lamp show?",
    options: [
      { id: "red", label: "Red", next: "lid" },
      { id: "dark", label: "Dark", next: "switch" },
    ],
  },
  { id: "lid", kind: "instruct", title: "Open the lid", text: "Open the lid.", next: "paper" },
  { id: "paper", kind: "instruct", title: "Take the paper out", text: "Take the paper out.", next: "solved" },
  { id: "switch", kind: "instruct", title: "Press the switch", text: "Press the switch.", next: "solved" },
  { id: "solved", kind: "solution", title: "It prints", text: "It prints again." },
];

/** What the page reads of a session. */
export interface EditedSession {
  readonly id: string;
  readonly version: number;
  readonly guide: {
    readonly id: string;
    readonly name: string;
    readonly steps: readonly { readonly id: string }[];
  };
  readonly findings: readonly { readonly problem: string; readonly remedy: string }[];
  readonly messages: readonly { readonly text: string }[];
  readonly status: string;
}

/** A service whose editors these are, and as many windows on it as a test opens. */
export class Editors {
  #complaints: string[] = [];
  #requested: string[] = [];

  private constructor(
    readonly world: World,
    private readonly complaints: RegExp,
  ) {}

  /** `complaints`: what the browser complains of in this test, as it should. */
  static async start(options: WorldOptions = {}, complaints = /status of 4\d\d/): Promise<Editors> {
    const config = {
      "speech.provider": "offline",
      "http.api_keys": Object.values(EDITOR_KEYS),
      "guides.plan": "paid",
      ...options.config,
    };
    const editors = new Editors(await World.start({ documents, ...options, config }), complaints);
    onTestFinished(() => editors.#assertSound());
    return editors;
  }

  static offline(): Promise<Editors> {
    return Editors.start({ config: { "llm.provider": "offline" } });
  }

  /** A window at the lists, or at a session, for who signs in with this key, by the keyboard. */
  async open(
    who: EditorUser = "ann",
    path = "",
    context: Parameters<Browser["newContext"]>[0] = {},
  ): Promise<Page> {
    const page = await this.window(path, context);
    await this.signIn(page, who);
    return page;
  }

  async window(path = "", options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
    const context: BrowserContext = await (await browser()).newContext({
      viewport: { width: 1440, height: 900 },
      locale: "en-GB",
      reducedMotion: "reduce",
      ...options,
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_MS_MAX);
    page.on("request", (request) => this.#requested.push(request.url()));
    page.on("pageerror", (error) => this.#complaints.push(`page error: ${error.message}`));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.#complaints.push(message.text());
    });
    await page.goto(address(this.world, `/editor${path}`));
    return page;
  }

  async signIn(page: Page, who: EditorUser = "ann"): Promise<void> {
    await page.locator("#api_key").fill(EDITOR_KEYS[who].key);
    await page.keyboard.press("Enter");
    await page.locator("#who").waitFor({ state: "hidden" });
  }

  /** Begins a session past the page, with these steps. */
  async session(steps: readonly object[], fields: object = {}): Promise<EditedSession> {
    const begun = await this.send("guide_sessions", { name: "Reset the cold store", ...fields });
    const patches = [{ op: "replace", steps }];
    return this.send(`guide_sessions/${begun.id}/patches`, { version: begun.version, patches });
  }

  async send(path: string, body: object, who: EditorUser = "ann"): Promise<EditedSession> {
    const headers = { "x-api-key": EDITOR_KEYS[who].key };
    const response = await post(this.world, `/api/v1/${path}`, body, { headers });
    const reply = (await response.json()) as EditedSession;
    expect([response.ok, reply]).toEqual([true, expect.anything()]);
    return reply;
  }

  async read(path: string, who: EditorUser = "ann"): Promise<EditedSession> {
    const headers = { "x-api-key": EDITOR_KEYS[who].key, connection: "close" };
    return (
      await fetch(address(this.world, `/api/v1/${path}`), { headers })
    ).json() as Promise<EditedSession>;
  }

  #assertSound(): void {
    const own = address(this.world, "");
    expect(this.#complaints.filter((text) => !this.complaints.test(text))).toEqual([]);
    expect(this.#requested.filter((url) => !url.startsWith(own) && !url.startsWith("blob:"))).toEqual([]);
    for (const { key } of Object.values(EDITOR_KEYS)) {
      expect(this.#requested.filter((url) => url.includes(key))).toEqual([]);
      expect(this.world.log).not.toContain(key);
    }
  }
}

/** What axe-core finds wrong with the page as it is; that it looked, is held too. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate(`axe.run(${RULES})`)) as {
    passes: unknown[];
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  expect(found.passes.length).toBeGreaterThan(10);
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${html}: ${failureSummary}`),
  );
}

/** The step of this name in the list. */
export function inList(page: Page, name: string) {
  return page.locator("#outline button").filter({ hasText: name });
}

/** By the keyboard: the menu of a step, and what is chosen in it. */
export async function choose(page: Page, step: string, item: string): Promise<void> {
  await inList(page, step).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: item, exact: true }).focus();
  await page.keyboard.press("Enter");
}

let running: Promise<Browser> | undefined;

function browser(): Promise<Browser> {
  const args = ["--no-sandbox", "--autoplay-policy=no-user-gesture-required"];
  running ??= chromium.launch({ executablePath: "/usr/bin/chromium", args });
  return running;
}

/** To be called once by a file of tests that opens editors. */
export function closeEditorsAtTheEnd(): void {
  afterAll(async () => {
    const open = running;
    running = undefined;
    await (await open)?.close();
  });
}
