import { describe, expect, it } from "vitest";
import { type KioskSettings, Kiosks } from "./kiosks.js";

const TOKEN = "a-token-of-the-canteen";
const SETTINGS: KioskSettings = {
  token: TOKEN,
  name: "canteen",
  network: "acme",
  username: "kiosk-1",
  groups: ["shop"],
  features: ["kiosk"],
  idleMs: 60_000,
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
});
