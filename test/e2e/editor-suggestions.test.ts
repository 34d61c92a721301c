/** The page of the editor with a model: suggestions as ghosts, two editors, a reload and a second tab while it writes. */
import { describe, expect, test, vi } from "vitest";
import { errorReply, textReply } from "../support/openai-replies.js";
import { patience } from "../support/patience.js";
import { VirtualClock } from "../support/virtual-clock.js";
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

const reply = (value: object) => textReply([JSON.stringify(value)]);
/** The page looks every three seconds. */
const SEEN = { timeout: patience(15_000), interval: 200 };

/** A reply that comes when the test says. */
function heldReply(value: object) {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  async function* pieces() {
    const [, first = "", rest = ""] = /^(.*?,)(.*)$/.exec(JSON.stringify(value))!;
    yield first;
    await held;
    yield rest;
  }
  return { reply: textReply(pieces()), release: () => release() };
}

describe.skipIf(!hasChromium)("the page of the editor", () => {
  test("builds by suggestion: ghosts in list and map, accepted, dismissed, confirmed and published", async () => {
    const editors = await Editors.start();
    const { server } = editors.world;
    const { id } = await editors.session(TREE, { flow_type: "troubleshooting" });
    const page = await editors.open("ann", `#${id}`);
    const blink = { id: "blinks", label: "Blinks", next: "wait" };
    const wait = {
      id: "wait",
      kind: "instruct",
      title: "Wait a minute",
      text: "Wait a minute.",
      next: "solved",
    };
    const options = [...TREE[0]!.options!, blink];
    const patches = [
      { op: "add", after: "switch", step: wait },
      { op: "modify", id: "lamp", step: { options } },
    ];
    server.expectChat(reply({ say: "It may blink.", patches }), ({ messages }) => {
      const told = JSON.parse(String(messages.at(-1)?.content));
      expect(told).toMatchObject({ action: "generate_branch", focal_step: { id: "lamp" } });
    });
    await choose(page, "What does the lamp show", "Propose a branch");
    const ghost = page.locator("#outline .step.added");
    await ghost.getByText("Suggested: New").waitFor();
    expect(await page.locator("#outline .step.changed .name").textContent()).toBe("What does the lamp show?");
    expect(await page.locator("#tree .step.added .name").textContent()).toBe("Wait a minute");
    expect(await page.locator("#tree path.ghost:not(.arrow)").count()).toBe(2);
    expect(await page.locator("#suggestions li").allTextContents()).toEqual([
      "New · Wait a minute · Wait a minute.",
      "Changed · What does the lamp show? · Red · Dark · Blinks",
    ]);
    await page.locator("#messages").getByText("It may blink.").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await ghost.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Accept" }).press("Enter");
    await page.locator("#suggestions").getByText("Nothing is suggested.").waitFor();
    expect(await page.locator(".step.added, .step.changed, path.ghost").count()).toBe(0);
    const warned = { op: "modify", id: "lid", step: { warning: "It is hot." } };
    server.expectChat(reply({ say: "It is the feeder.", patches: [warned] }));
    await choose(page, "Open the lid", "Explain");
    await page.locator("#messages").getByText("It is the feeder.").waitFor();
    await page.locator("#suggestions").getByRole("button", { name: "Dismiss" }).click();
    await page.locator("#suggestions").getByText("Nothing is suggested.").waitFor();
    server.expectChat(
      reply({ say: "Noted.", patches: [{ op: "modify", id: "lid", step: { help_text: "Behind it." } }] }),
    );
    await page.locator("#message").fill("Say where it is.");
    await page.keyboard.press("Enter");
    await page.locator("#outline").getByText("Nobody stands behind this step yet.").waitFor();
    await choose(page, "Open the lid", "Confirm");
    await page.locator("#outline").getByText("Nobody stands behind").waitFor({ state: "detached" });
    await page.locator("[data-act=review]").click();
    await page.getByRole("dialog").getByText("Act: 4 · Solution: 1").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("In review · Open").waitFor();
    const bob = await editors.open("bob");
    await bob.locator("#reviews button").click();
    await bob.getByRole("button", { name: "Approve" }).click();
    await bob.getByText("Approved").waitFor();
    await page.getByRole("button", { name: "Publish" }).click(SEEN);
    await page.getByText("Ready to publish · Published").waitFor();
    expect(await editors.read("guides/reset-the-cold-store")).toMatchObject({
      version: 1,
      status: "published",
    });
    server.verify();
  });

  test("with two editors loses nothing: the second is told, keeps what it wrote, and sends it again", async () => {
    const editors = await Editors.start();
    const { id } = await editors.session([OPEN, PRESS, END]);
    const [one, two] = [await editors.open("ann", `#${id}`), await editors.open("ann", `#${id}`)];
    await choose(two, "Press reset", "Edit");
    const dialog = two.getByRole("dialog");
    await dialog.getByLabel("What is heard").fill("Press the red button.");
    await choose(one, "Press reset", "Edit");
    await one.getByRole("dialog").getByLabel("Warning before the act").fill("The belt starts.");
    await one.getByRole("button", { name: "Save" }).click();
    await one.getByRole("dialog").waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Save" }).click();
    const told = dialog.getByRole("alert");
    await told.getByText("Somebody was quicker. What you wrote is kept.").waitFor();
    expect(await told.textContent()).toMatch(/is at version \d, and you saw \d/);
    expect(await dialog.getByLabel("What is heard").inputValue()).toBe("Press the red button.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await editors.read(`guide_sessions/${id}`)).toMatchObject({
      guide: { steps: [{}, { text: "Press the red button.", warning: "The belt starts." }, {}] },
    });
    await one.getByRole("status").getByText("This was changed elsewhere.").waitFor();
    await choose(one, "Press reset", "Edit");
    expect(await one.getByRole("dialog").getByLabel("What is heard").inputValue()).toBe(
      "Press the red button.",
    );
  });

  test("comes back to what a model still writes: after a reload, and in a second tab", async () => {
    const editors = await Editors.start();
    const { id } = await editors.session([OPEN, END]);
    const page = await editors.open("ann", `#${id}`);
    const { release, reply: held } = heldReply({
      say: "Noted, and kept.",
      patches: [{ op: "add", step: PRESS }],
    });
    editors.world.server.expectChat(held);
    await page.locator("#message").fill("Then press reset.");
    await page.keyboard.press("Enter");
    await page.locator("#messages").getByText("Noted,", { exact: true }).waitFor();
    await vi.waitFor(async () => {
      expect((await editors.read(`guide_sessions/${id}`)).messages.at(-1)).toMatchObject({
        text: "Then press reset.",
      });
    }, SEEN);
    await page.reload();
    await editors.signIn(page);
    const second = await editors.open("ann", `#${id}`);
    for (const tab of [page, second]) {
      await tab.locator("#messages").getByText("Then press reset.").waitFor();
      await tab.locator("#messages").getByText("This is being answered.").waitFor();
    }
    await second.locator("#message").fill("And then?");
    await second.keyboard.press("Enter");
    await second.getByRole("status").getByText("Your last message is still being answered.").waitFor();
    await vi.waitFor(
      async () => expect(await second.locator("#message").inputValue()).toBe("And then?"),
      SEEN,
    );
    release();
    for (const tab of [page, second]) {
      await tab.locator("#messages").getByText("Noted, and kept. What comes next?").waitFor();
      await inList(tab, "Press reset").waitFor();
      expect(await tab.getByText("This is being answered.").count()).toBe(0);
      expect(await tab.getByText("changed elsewhere").count()).toBe(0);
    }
    expect(await second.locator("#message").inputValue()).toBe("And then?");
  });

  test("says so where a model gives no answer or breaks every rule, and where there are no messages left", async () => {
    const editors = await Editors.start({ config: { "guides.plan": "free" } }, /status of (?:4\d\d|503)/);
    const { server } = editors.world;
    const { id } = await editors.session([OPEN, END]);
    const page = await editors.open("ann", `#${id}`);
    const send = async (text: string) => {
      await page.locator("#message").fill(text);
      await page.keyboard.press("Enter");
    };
    const status = page.getByRole("status");
    server.expectChat(errorReply(400));
    await send("Then press reset.");
    await status.getByText("your message was not counted").waitFor();
    await vi.waitFor(
      async () => expect(await page.locator("#message").inputValue()).toBe("Then press reset."),
      SEEN,
    );
    const broken = reply({ say: "Gone.", patches: [{ op: "remove", id: "end" }] });
    server.expectChat(broken).expectChat(broken);
    await page.keyboard.press("Enter");
    await status.getByText(/\(end-last\)/).waitFor();
    expect(await page.locator("#outline li").count()).toBe(2);
    for (let left = 8; left >= 0; left--) {
      server.expectChat(reply({ say: `Good ${left}.`, patches: [] }));
      await send("Go on.");
      await page.locator("#messages").getByText(`Good ${left}.`).waitFor();
      await page.getByText(`${left} messages left`, { exact: true }).waitFor();
    }
    await send("One more.");
    await status.getByText("This session has had its 10 messages.").waitFor();
    await vi.waitFor(async () => expect(await page.locator("#message").inputValue()).toBe("One more."), SEEN);
    server.verify();
  });

  test("says of a session that it is archived", async () => {
    const clock = new VirtualClock();
    const editors = await Editors.start({ clock, config: { "llm.provider": "offline" } });
    const { id } = await editors.session([OPEN, END]);
    const page = await editors.open("ann", `#${id}`);
    await clock.leap(ARCHIVED_MS);
    await page.getByRole("status").getByText("This session is archived. Begin another one.").waitFor();
    await page.getByRole("button", { name: "All guides" }).click();
    await page.locator("#sessions").getByText("Archived").waitFor();
  });
});

/** More than thirty days, and the daily look. */
const ARCHIVED_MS = 32 * 86_400_000;
