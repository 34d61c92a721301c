/** The page of operations in Chromium, before the door of approvals on a real port, with operations that are a test's. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium, type Page } from "playwright-core";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ApiKeys } from "../../src/api/api-keys.js";
import { approvalsDoor } from "../../src/http/approvals/door.js";
import { operationsPage } from "../../src/http/approvals/page.js";
import { HttpServer } from "../../src/http/server.js";
import { systemClock } from "../../src/lib/clock.js";
import { ANN, ScriptedOperations, waitingView } from "../../src/operate/operations.test-util.js";
import { createTelemetry } from "../../src/telemetry/events.js";
import { locales } from "../support/locales.js";
import { patience } from "../support/patience.js";
import { hasChromium } from "./kiosk-page.js";

vi.setConfig({ testTimeout: patience(60_000) });

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = JSON.stringify({
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
});
const KEY = "approver-key-0123456789";
const ASKER = "asker-key-0123456789";

async function open(operations: ScriptedOperations, context: { locale?: string; colorScheme?: "dark" } = {}) {
  const deps = { clock: systemClock, telemetry: createTelemetry([]) };
  const keys = new ApiKeys([{ key: KEY, roles: ["approve"] }, { key: ASKER }], {
    portIsPrivate: true,
    isOwnPeer: async () => true,
  });
  const operating = {
    operations,
    access: async ({ user }: { user: typeof ANN }) => ({ ...user, groups: [], kiosk: false }),
  };
  const routes = [approvalsDoor({ ...deps, keys, operating }), operationsPage(locales)];
  const server = new HttpServer({ host: "127.0.0.1", port: 0 }, routes, deps);
  const port = await server.listen();
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await (await browser.newContext({ locale: "en-GB", ...context })).newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !/40[39]/.test(message.text())) complaints.push(message.text());
  });
  onTestFinished(async () => {
    await browser.close();
    await server.close();
    expect(complaints).toEqual([]);
    expect(operations.missing).toBe(0);
  });
  await page.goto(`http://127.0.0.1:${port}/operations`);
  return page;
}

/** By the keyboard alone. */
async function signIn(page: Page, key = KEY): Promise<void> {
  await page.locator("#api_key").focus();
  for (const text of [key, ANN.network, ANN.username]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
}

async function faults(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate(`axe.run(${RULES})`)) as {
    passes: unknown[];
    violations: { id: string; nodes: { html: string }[] }[];
  };
  expect(found.passes.length).toBeGreaterThan(10);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

function waiting(): ScriptedOperations {
  const operations = new ScriptedOperations();
  operations.views = [waitingView({}, { untilMs: systemClock.now() + 100_000 })];
  return operations;
}

describe.skipIf(!hasChromium)("the page of operations", () => {
  test("shows what waits, and takes a yes with its word, by the keyboard; then what was done", async () => {
    const operations = waiting().expectReply({ type: "accepted" });
    const page = await open(operations);
    await signIn(page);
    const card = page.locator("#waiting article");
    await card.waitFor();
    const text = await card.innerText();
    for (const part of [
      "7 · restart: Pump two",
      "Restart pump two. It is stopped now.",
      "Medium risk",
      "tango",
    ])
      expect(text).toContain(part);
    expect(text).toContain("Pump two: before: stopped; wanted: running; now: no reading");
    expect(text).toMatch(/Asked for by: ann.*\d+ s left/s);
    await card.getByRole("checkbox").focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.type("tango");
    const reading = { target: "p2", signal: "status", value: "running", takenAtMs: 0, tool: "t" };
    await page.keyboard.press("Enter");
    await vi.waitFor(() =>
      expect(operations.given).toMatchObject([{ verdict: "approved", reply: { by: ANN } }]),
    );
    operations.views = [
      waitingView({}, { phase: "ended", outcomes: ["verified"], after: [reading], by: [ANN] }),
    ];
    const done = page.locator("#done article");
    await done.getByText("now: running · done and verified").waitFor();
    expect(await done.innerText()).toContain("Approved by: ann");
    expect(await card.count()).toBe(0);
    expect(await page.locator("#nothing").isVisible()).toBe(true);
  });

  test("asks for the box and the word first, keeps what is typed, and tells why a yes did not count", async () => {
    const operations = waiting().expectReply({ type: "not_counted", why: "unclear", missesLeft: 2 });
    const page = await open(operations);
    await signIn(page);
    const card = page.locator("#waiting article");
    await card.getByRole("button", { name: "Approve" }).click();
    await card.getByRole("checkbox").check();
    await card.getByRole("textbox").fill("mango");
    const left = await card.getByText(/s left/).textContent();
    await vi.waitFor(async () => expect(await card.getByText(/s left/).textContent()).not.toBe(left), {
      timeout: patience(10_000),
      interval: 200,
    });
    expect(await card.getByRole("textbox").inputValue()).toBe("mango");
    expect(operations.given).toEqual([]);
    await card.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("status").getByText("That did not count: unclear").waitFor();
    expect(operations.given).toMatchObject([{ verdict: "unclear" }]);
  });

  test("takes a no, and says who may not", async () => {
    const operations = waiting().expectReply({ type: "ended", reason: "denied" });
    const page = await open(operations);
    await signIn(page, ASKER);
    await page.getByText("This key may not do that.").waitFor();
    await page.locator("#api_key").fill(KEY);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Deny" }).click();
    await vi.waitFor(() => expect(operations.given).toMatchObject([{ verdict: "denied" }]));
    operations.views = [waitingView({}, { phase: "ended", reason: "denied" })];
    await page.locator("#done").getByText("not done: denied").waitFor();
  });

  test.each([{}, { locale: "de-DE", colorScheme: "dark" }] as const)(
    "is clean before axe-core: %j",
    async (look) => {
      const operations = waiting();
      const ended = { phase: "ended", outcomes: ["contradicted"], by: [ANN] } as const;
      operations.views = [...operations.views, waitingView({ id: "op-0" }, ended)];
      const page = await open(operations, look);
      expect(await faults(page)).toEqual([]);
      await signIn(page);
      await page.locator("#waiting article").waitFor();
      expect(await faults(page)).toEqual([]);
      expect(await page.locator("h1").textContent()).toBe("locale" in look ? "Eingriffe" : "Operations");
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    },
  );

  test("is left alone by who is gone: nothing is asked for any more until somebody touches it", async () => {
    const operations = waiting();
    const page = await open(operations);
    await page.clock.install();
    await page.reload();
    await signIn(page);
    await page.locator("#waiting article").waitFor();
    await page.clock.runFor(901_000);
    await page.getByText("Paused: press a key to go on.").waitFor();
    let asked = 0;
    page.on("request", () => asked++);
    await page.clock.runFor(60_000);
    expect(asked).toBe(0);
    await page.keyboard.press("Shift");
    await page.clock.runFor(3_000);
    await vi.waitFor(() => expect(asked).toBeGreaterThan(0));
  });
});
