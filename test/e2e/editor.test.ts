/** The page of the editor in Chromium, before a whole service: what the service returns is what it shows. */
import { describe, expect, test, vi } from "vitest";
import {
  choose,
  closeEditorsAtTheEnd,
  EDITOR_TEST_MS_MAX,
  Editors,
  END,
  faultsOf,
  inList,
  OPEN,
  PRESS,
  TREE,
} from "./editor-page.js";
import { hasChromium } from "./kiosk-page.js";

vi.setConfig({ testTimeout: EDITOR_TEST_MS_MAX });
closeEditorsAtTheEnd();

describe.skipIf(!hasChromium)("the page of the editor", () => {
  test("lists what a key may see, and begins an interview without a model that fills list and map", async () => {
    const editors = await Editors.offline();
    const page = await editors.open();
    await page.locator("#sessions").getByText("Nothing here yet.").waitFor();
    expect(await page.locator("#reviews").isVisible()).toBe(false);
    await page.keyboard.type("Reset the cold store");
    await page.keyboard.press("Enter");
    const messages = page.locator("#messages");
    await messages.getByText("What is this guide for, and who works by it?").waitFor();
    for (const [said, answer] of [
      ["It brings the cold store back.", "What differs"],
      ["none", "What is done first"],
      ["Open the cabinet. Press the reset button. That is all.", "Which of these steps is dangerous"],
    ] as const) {
      await page.keyboard.type(said);
      await page.keyboard.press("Enter");
      await messages.getByText(answer).waitFor();
    }
    expect(await page.locator("#outline .name").allTextContents()).toEqual([
      ...["Open the cabinet", "Press the reset button", "Reset the cold store"],
    ]);
    expect(await page.locator("#tree .step").count()).toBe(3);
    expect(await page.locator("#tree svg path:not(.arrow)").count()).toBe(2);
    expect(await page.locator("#about").textContent()).toBe(
      "Reset the cold store · ann · Warnings and values · Open",
    );
    await page.getByText("22 messages left").waitFor();
    await page.getByRole("button", { name: "All guides" }).click();
    await page.locator("#sessions").getByRole("button", { name: "Reset the cold store" }).waitFor();
    const { id } = await editors
      .read("guide_sessions")
      .then((all) => (all as never as Listed).guide_sessions[0]!);
    await page.goto(`${page.url().split("#")[0]}#${id}`);
    await inList(page, "Open the cabinet").waitFor();
  });

  test("says who may not, and takes another key", async () => {
    const editors = await Editors.offline();
    const page = await editors.window();
    await page.locator("#api_key").fill("cleo-key-0123456789");
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("This key may not do that.").waitFor();
    await editors.signIn(page, "bob");
    expect(await page.locator("#reviews").isVisible()).toBe(true);
    expect(await page.locator("#new_name").isVisible()).toBe(false);
  });

  test("is walked by the keyboard: arrows, the menu, a form, Delete and Ctrl+Z", async () => {
    const editors = await Editors.offline();
    const { id } = await editors.session(TREE, { flow_type: "troubleshooting" });
    const page = await editors.open("ann", `#${id}`);
    const focused = () => page.evaluate("document.activeElement.dataset.step");
    await inList(page, "What does the lamp show").focus();
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe("lid");
    await page.keyboard.press("End");
    expect(await focused()).toBe("solved");
    await page.locator("#tree [data-step=lamp]").focus();
    await page.keyboard.press("ArrowDown");
    const below = await focused();
    for (const side of ["ArrowLeft", "ArrowRight"])
      if ((await focused()) === below) await page.keyboard.press(side);
    expect([below, await focused()].sort()).toEqual(["lid", "switch"]);
    await choose(page, "Open the lid", "Edit");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Warning before the act").fill("The roller is hot.");
    await dialog.getByRole("button", { name: "Save" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    await inList(page, "Take the paper out").focus();
    await page.keyboard.press("Delete");
    await vi.waitFor(async () => expect(await page.locator("#outline li").count()).toBe(4));
    expect(await editors.read(`guide_sessions/${id}`)).toMatchObject({
      findings: [],
      guide: { steps: [{}, { id: "lid", next: "solved", warning: "The roller is hot." }, {}, {}] },
    });
    await inList(page, "Open the lid").focus();
    await page.keyboard.press("Control+z");
    await inList(page, "Take the paper out").waitFor();
    expect(await focused()).toBe("lid");
    await choose(page, "What does the lamp show", "Add a step behind it");
    await dialog.getByLabel("Short title").fill("Call the electrician");
    await dialog.getByLabel("What is heard").fill("Call the electrician.");
    await dialog.getByLabel("Leads to").selectOption("solved");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.locator("#tree .way", { hasText: "Call the electrician" }).waitFor();
    expect(await editors.read(`guide_sessions/${id}`)).toMatchObject({
      findings: [],
      guide: { steps: { length: 6 } },
    });
  });

  test("shows beside the form what the service says against a step, and what is wrong in the list", async () => {
    const editors = await Editors.offline();
    const kept = { ...OPEN, text: "Open the cabinet and press the button." };
    await editors.send("guides", {
      guide: { readback_guide: 1, id: "cold", name: "Cold", flow_type: "procedural", steps: [kept, END] },
    });
    const { findings, id } = await editors.send("guide_sessions", { from: "cold" });
    const page = await editors.open("ann", `#${id}`);
    const shown = findings.map(({ problem, remedy }) => `${problem}; ${remedy}`);
    expect(shown).toHaveLength(1);
    expect(await page.locator("#outline .note").allTextContents()).toEqual(shown);
    expect(await page.locator("#tree .note").allTextContents()).toEqual(shown);
    expect(await page.locator("#findings li").allTextContents()).toEqual([`open ${shown[0]}`]);
    await page.locator("#findings button").click();
    expect(await page.evaluate("document.activeElement.dataset.step")).toBe("open");
    await choose(page, "Open the cabinet", "Edit");
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("alert").textContent()).toBe(shown[0]);
    await dialog.getByLabel("Short title").fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").getByText("write a short title").waitFor();
    await dialog.getByLabel("Short title").fill("Open");
    await dialog.getByLabel("What is heard").fill("Open the cabinet.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.locator("#findings").getByText("Nothing to correct.").waitFor();
  });

  test.each([
    { colorScheme: "light" },
    { colorScheme: "dark", locale: "de-DE", viewport: { width: 1024, height: 768 } },
    { colorScheme: "light", locale: "uk-UA", viewport: { width: 390, height: 844 } },
  ] as const)("axe-core finds no fault in it: %j", async (look) => {
    const editors = await Editors.offline();
    const { id } = await editors.session([OPEN, PRESS, END]);
    const page = await editors.window("", look);
    const found: Record<string, readonly string[]> = { key: await faultsOf(page) };
    await editors.signIn(page);
    found.lists = await faultsOf(page);
    await page.locator("#sessions button").click();
    await inList(page, "Press reset").waitFor();
    found.session = await faultsOf(page);
    await inList(page, "Press reset").click();
    found.menu = await faultsOf(page);
    await page.getByRole("menuitem").first().press("Enter");
    await page.getByRole("dialog").waitFor();
    found.form = await faultsOf(page);
    await page.keyboard.press("Escape");
    await page.locator("[data-act=review]").click();
    await page.getByRole("dialog").waitFor();
    found.review = await faultsOf(page);
    expect(found).toEqual({ key: [], lists: [], session: [], menu: [], form: [], review: [] });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await editors.read(`guide_sessions/${id}`)).toMatchObject({ phase: "review" });
  });
});

interface Listed {
  readonly guide_sessions: readonly { readonly id: string }[];
}
