/** What a shop may set of its kiosk's page, as people find it: brand, questions, keyboard, volume and colleagues. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  BRANDED,
  closeBrowserAtTheEnd,
  hasChromium,
  KIOSK_TEST_MS_MAX,
  KioskPage,
  TOKEN,
} from "./kiosk-page.js";

vi.setConfig({ testTimeout: KIOSK_TEST_MS_MAX });
closeBrowserAtTheEnd();

const CALL = { name: "Call a colleague" };

describe.skipIf(!hasChromium)("the page of a shop", () => {
  test("bears its name, logo, colours, welcome and questions, and runs nothing that is in the logo", async () => {
    const kiosk = await KioskPage.open({ kiosk: BRANDED, complaints: /Blocked script execution .*\.svg/ });
    const { page } = kiosk;
    await kiosk.becomes("ready");
    expect(await page.title()).toBe("Harbour Market");
    await page.getByRole("img", { name: "Harbour Market" }).waitFor();
    const drawn = await page.evaluate("document.images[0].decode().then(() => document.images[0].width)");
    expect(drawn).toBeGreaterThan(0);
    expect(
      await page.evaluate("getComputedStyle(document.body.querySelector('#talk')).backgroundColor"),
    ).toBe("rgb(163, 25, 91)");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(BRANDED.brand.welcome.en);
    await kiosk.suggestions.first().waitFor();
    expect(await kiosk.suggestions.allTextContents()).toEqual(BRANDED.suggestions.en);
    // A language without a welcome and questions of its own has the page's.
    await kiosk.choose("Deutsch");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Stellen Sie eine Frage");
    // Even opened by itself, where it is a document and no image.
    const address = kiosk.requested.find((path) => path.includes("/logos/"))!;
    const before = kiosk.requested.length;
    const opened = await page.goto(kiosk.address(address));
    expect(opened!.headers()["content-security-policy"]).toContain("default-src 'none'");
    expect(opened!.headers()["content-type"]).toBe("image/svg+xml");
    expect(kiosk.requested.slice(before)).toEqual([address]);
  });

  test("is typed to on its own keys, in the letters of the language, and by hand where there are keys", async () => {
    const kiosk = await KioskPage.open({ kiosk: { languages: ["en", "uk"] } });
    const { page } = kiosk;
    const field = page.getByRole("textbox");
    const keys = page.locator("#keyboard");
    const press = async (...names: readonly string[]) => {
      for (const name of names) await keys.locator(`[data-skbtn="${name}"]`).click();
    };
    await kiosk.becomes("ready");
    expect(await keys.isVisible()).toBe(false);
    await field.click();
    await press("W", "h", "o", "{bksp}", "{bksp}", "{shift}", "H", "i", "{space}", "4", "?");
    expect(await field.inputValue()).toBe("WHi 4?");
    // Where the caret is.
    await page.keyboard.press("ArrowLeft");
    await press("{bksp}", "5");
    expect(await field.inputValue()).toBe("WHi 5?");
    await press("{hide}");
    expect(await keys.isVisible()).toBe(false);
    await kiosk.choose("Українська");
    await field.click();
    await press("ї");
    expect(await field.inputValue()).toBe("WHi 5?ї");
    await page.keyboard.type("!");
    expect(await keys.isVisible()).toBe(false);
    await field.fill("");
    await field.click();
    await press("Ї", "{enter}");
    await kiosk.becomes("unanswered");
    expect(await page.locator("#asked").textContent()).toBe("Ї");
    expect(await keys.isVisible()).toBe(false);
  });

  test("has no keyboard where it is to have none", async () => {
    const kiosk = await KioskPage.open({ kiosk: { keyboard: false } });
    await kiosk.becomes("ready");
    await kiosk.page.getByRole("textbox").click();
    expect(await kiosk.page.locator("#keyboard").isVisible()).toBe(false);
    expect(kiosk.requested.filter((path) => path.includes("assets/keyboard"))).toEqual([]);
  });

  test("is made softer step by step, silent and loud again", async () => {
    const kiosk = await KioskPage.open({ kiosk: { volume: 80 } });
    await kiosk.becomes("ready");
    const volume = kiosk.page.locator("#volume");
    const heard: unknown[] = [];
    for (let press = 0; press < 5; press++) {
      heard.push([await volume.getAttribute("aria-label"), await kiosk.page.evaluate(LOUDNESS)]);
      await volume.click();
    }
    expect(heard).toEqual([
      ["Volume 80 %", 0.8],
      ["Volume 60 %", 0.6],
      ["Volume 30 %", 0.3],
      ["Volume 0 %", 0],
      ["Volume 100 %", 1],
    ]);
  });

  test("is as it was before, when nobody has been there for a minute", async () => {
    const kiosk = await KioskPage.open({ kiosk: { ...BRANDED, volume: 60 }, stillClock: true });
    const { page } = kiosk;
    await kiosk.becomes("ready");
    await kiosk.choose("Deutsch");
    await page.locator("#volume").click();
    await page.getByRole("textbox").click();
    await page.locator("#keyboard [data-skbtn='W']").click();
    await page.locator(".call:visible").click();
    expect(await page.getByRole("dialog").isVisible()).toBe(true);
    await page.clock.fastForward(61_000);
    await page.clock.runFor(2_000);
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await page.locator("#keyboard").isVisible()).toBe(false);
    expect(await page.getByRole("textbox").inputValue()).toBe("");
    expect(await page.evaluate(LOUDNESS)).toBe(0.6);
    expect(await page.getAttribute("html", "lang")).toBe("en");
  });
});

const LOUDNESS = "document.querySelector('audio').volume";

describe.skipIf(!hasChromium)("who wants a colleague", () => {
  test("reads how to reach one", async () => {
    const kiosk = await KioskPage.open({ kiosk: BRANDED });
    await kiosk.becomes("ready");
    await kiosk.page.getByRole("button", CALL).click();
    expect(await kiosk.page.getByRole("dialog", CALL).textContent()).toContain(BRANDED.call.text.en);
    expect(kiosk.requested.filter((path) => path.includes("api/call"))).toEqual([]);
    await kiosk.page.getByRole("button", { name: "Close" }).click();
    expect(await kiosk.page.getByRole("dialog").isVisible()).toBe(false);
  });

  test("finds no such button where nobody can be called", async () => {
    const kiosk = await KioskPage.open();
    await kiosk.becomes("ready");
    expect(await kiosk.page.getByRole("button", CALL).count()).toBe(0);
  });

  test("is told that the call went out, once, and that it did not", async () => {
    const calls: { readonly authorization: string | undefined; readonly body: unknown }[] = [];
    let status = 503;
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      calls.push({ authorization: request.headers.authorization, body: JSON.parse(body) });
      response.writeHead(status).end("ok");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/a-secret-path`;
    const kiosk = await KioskPage.open({ kiosk: { call: { webhook } } });
    const { page } = kiosk;
    const called = page.locator("#colleague-called");
    const call = async (said: string) => {
      await page.getByRole("button", CALL).click();
      await called.getByText(said).waitFor();
      await page.keyboard.press("Escape");
    };
    await kiosk.becomes("ready");
    await call("The call did not get through. Please look for a colleague.");
    expect((await kiosk.world.happened("colleague_not_reached")).error).toContain("503");
    status = 200;
    await call("Your call was passed on.");
    await call("Your call was passed on.");
    expect(calls).toHaveLength(2);
    expect(calls[1]).toEqual({
      authorization: undefined,
      body: {
        kiosk: "canteen",
        network: "acme",
        text: "Somebody at the kiosk canteen asks for a colleague.",
      },
    });
    expect(kiosk.world.log).not.toContain("a-secret-path");
    expect(JSON.stringify(calls)).not.toContain(TOKEN);
  });
});
