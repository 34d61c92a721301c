/**
 * Takes pictures of the editor's page on screens of three sizes, when it is told where to:
 * `SCREENSHOTS=/tmp/editor npx vitest run test/e2e/editor-screenshots.test.ts`.
 */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test, vi } from "vitest";
import { textReply } from "../support/openai-replies.js";
import { choose, closeEditorsAtTheEnd, EDITOR_TEST_MS_MAX, Editors, inList, TREE } from "./editor-page.js";
import { hasChromium } from "./kiosk-page.js";

const FOLDER = process.env.SCREENSHOTS;

const SIZES = [
  ["desk", { width: 1440, height: 900 }],
  ["tablet", { width: 1024, height: 768 }],
  ["phone", { width: 390, height: 844 }],
] as const;

vi.setConfig({ testTimeout: EDITOR_TEST_MS_MAX });
closeEditorsAtTheEnd();

describe.skipIf(!hasChromium || FOLDER === undefined).each(SIZES)("%s", (name, viewport) => {
  const taken = new Map<string, string>();
  /** Each picture shows nothing cut off at its sides, and is no other one. */
  async function shoot(page: Page, state: string, fullPage = false): Promise<void> {
    const picture = await page.screenshot({ path: join(FOLDER!, `${name}-${state}.png`), fullPage });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(viewport.width);
    expect(taken.get(picture.toString("base64")), `the picture of ${state}`).toBeUndefined();
    taken.set(picture.toString("base64"), state);
  }

  test("the page from its key to a dry run", async () => {
    const editors = await Editors.start();
    const { server } = editors.world;
    const { id } = await editors.session(TREE, {
      flow_type: "troubleshooting",
      name: "The label printer is silent",
    });
    const page = await editors.window("", { viewport });
    await shoot(page, "key");
    await editors.signIn(page);
    await shoot(page, "lists");
    await page.goto(`${page.url().split("#")[0]}#${id}`);
    await inList(page, "Open the lid").waitFor();
    await shoot(page, "session");
    const wait = {
      id: "wait",
      kind: "instruct",
      title: "Wait a minute",
      text: "Wait a minute.",
      next: "solved",
    };
    const options = [...TREE[0]!.options!, { id: "blinks", label: "Blinks slowly", next: "wait" }];
    const patches = [
      { op: "add", after: "switch", step: wait },
      { op: "modify", id: "lamp", step: { options } },
    ];
    server.expectChat(
      textReply([JSON.stringify({ say: "The lamp may blink slowly while it warms up.", patches })]),
    );
    await choose(page, "What does the lamp show", "Propose a branch");
    await page.locator("#outline .added").waitFor();
    await shoot(page, "ghosts", true);
    await inList(page, "Open the lid").click();
    await shoot(page, "menu");
    await page.keyboard.press("Escape");
    await choose(page, "What does the lamp show", "Edit");
    await shoot(page, "form");
    await page.keyboard.press("Escape");
    await page.locator("[data-act=review]").click();
    await page.getByRole("dialog").waitFor();
    await shoot(page, "review");
    await page.keyboard.press("Escape");
    const kept = { readback_guide: 1, id: "the-label-printer-is-silent", name: "Silent" };
    const { options: had, ...lamp } = TREE[0]!;
    const steps = [{ ...lamp, options: [had![1]!, { ...had![0]!, next: "switch" }] }, TREE[3]!, TREE[4]!];
    await editors.send("guides", { guide: { ...kept, flow_type: "troubleshooting", steps } });
    await page.locator("[data-act=compare]").click();
    await page.getByRole("dialog").locator("ins").first().waitFor();
    await shoot(page, "compare");
    await page.keyboard.press("Escape");
    await page.locator("[data-act=rehearse]").click();
    await page.getByRole("dialog").getByText("What does the lamp show?").waitFor();
    await page
      .locator("audio")
      .evaluate("(player) => new Promise((done) => player.addEventListener('ended', done))");
    await shoot(page, "dry-run");
    await page.keyboard.press("Escape");
    await page.emulateMedia({ colorScheme: "dark" });
    await shoot(page, "dark", true);
  });
});
