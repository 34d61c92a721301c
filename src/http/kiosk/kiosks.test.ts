import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { KioskSettings } from "../options.js";
import { Kiosks } from "./kiosks.js";

const TOKEN = "a-token-of-the-canteen";
const SETTINGS: KioskSettings = {
  token: TOKEN,
  name: "canteen",
  network: "acme",
  username: "kiosk-1",
  groups: ["shop"],
  features: ["kiosk"],
  roles: ["ask" as const],
  idleMs: 60_000,
  brand: { welcome: {} },
  suggestions: {},
  keyboard: true,
  volume: 100,
};
const KNOWN = ["de", "en", "es"];

const visitor = (key: string | undefined, remoteAddress = "10.0.0.7") => {
  return { key, connection: { remoteAddress }, host: undefined, forwarded: false };
};
const admitted = (settings: Partial<KioskSettings>) =>
  new Kiosks([{ ...SETTINGS, ...settings }], KNOWN).admit(visitor(TOKEN));

describe("a kiosk", () => {
  it("is who its token says, from wherever it comes, and keeps the token to itself", async () => {
    const kiosk = await admitted({});
    expect(kiosk).toMatchObject({
      name: "canteen",
      networks: ["acme"],
      username: "kiosk-1",
      groups: ["shop"],
    });
    expect(JSON.stringify(kiosk)).not.toContain(TOKEN);
  });

  it.each([undefined, "", "a-token", `${TOKEN}x`, TOKEN.toUpperCase(), "x".repeat(5_000)])(
    "is none with %j",
    async (key) => {
      const admission = new Kiosks([SETTINGS], KNOWN).admit(visitor(key));
      await expect(admission).rejects.toThrow("A kiosk token is needed");
    },
  );

  it("is let in by nobody where none is set up, not even from this machine", async () => {
    await expect(new Kiosks([], KNOWN).admit(visitor(undefined, "127.0.0.1"))).rejects.toThrow("token");
  });

  it.each<[Partial<KioskSettings>, boolean]>([
    [{}, false],
    [{ features: ["kiosk-2"] }, false],
    [{ features: [] }, true],
    [{ features: ["kiosk"], showSource: true }, true],
    [{ features: [], showSource: false }, false],
  ])("with %j shows its source: %s", async (settings, shown) => {
    expect((await admitted(settings)).showSource).toBe(shown);
  });

  it("offers every language that there is, or those that it is to offer", async () => {
    expect((await admitted({})).languages).toEqual(KNOWN);
    expect((await admitted({ languages: ["es", "en"] })).languages).toEqual(["es", "en"]);
    expect(() => admitted({ languages: ["en", "tlh"] })).toThrow('no texts in "tlh" (there are: de, en, es)');
  });

  it("speaks at first a language that there are texts in", async () => {
    expect((await admitted({ language: "es-MX" })).language).toBe("es-MX");
    expect(() => admitted({ language: "tlh" })).toThrow('no texts in "tlh" (there are: de, en, es)');
  });

  it.each<[string, Partial<KioskSettings>]>([
    ["welcome", { brand: { welcome: { tlh: "nuqneH" } } }],
    ["suggestions", { suggestions: { tlh: ["nuqDaq 'oH puchpa''e'?"] } }],
    ["call", { call: { text: { tlh: "HIja'" } } }],
  ])("has no %s in a language without texts", (_what, settings) => {
    expect(() => admitted(settings)).toThrow('no texts in "tlh"');
  });
});

describe("a brand", () => {
  const branded = (brand: Partial<KioskSettings["brand"]>) => admitted({ brand: { welcome: {}, ...brand } });

  it("without colours leaves the page its own", async () => {
    expect((await branded({ name: "Harbour Market" })).brand).toEqual({
      name: "Harbour Market",
      logo: undefined,
      palette: undefined,
      welcome: {},
    });
  });

  it("that could not be read stops the start, and hears what would do", () => {
    expect(() => branded({ text: "#777777", background: "#ffffff" })).toThrow(
      "http.kiosks, brand of canteen: text #777777 on background #ffffff has a contrast of 4.4 to 1, " +
        "and it takes 7 to be read; #595959 would do",
    );
  });

  it("shows a logo from a file, at an address of its own", async () => {
    const { brand } = await branded({ logo: picture("logo.svg", "<svg/>") });
    expect(brand.logo).toMatchObject({ type: "image/svg+xml" });
    expect(brand.logo!.address).toMatch(/^\/kiosk\/assets\/logos\/[0-9a-f]{16}\.svg$/);
  });

  it.each([
    ["a page", "logo.html", "<svg/>", /none of \.svg, \.png/],
    ["a page by the name of a picture", "logo.png", "<html>", /is no image\/png/],
    ["a text by the name of a drawing", "logo.svg", "hello", /is no image\/svg\+xml/],
    ["too large", "logo.svg", `<svg>${" ".repeat(600_000)}`, /has 600005 bytes, and may have 524288/],
  ])("does not show a logo that is %s", (_what, name, text, why) => {
    expect(() => branded({ logo: picture(name, text) })).toThrow(why);
  });

  it("does not start without its logo", () => {
    expect(() => branded({ logo: "/nowhere/logo.png" })).toThrow(/logo \/nowhere\/logo.png cannot be used/);
  });
});

function picture(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "readback-logo-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
