/** The kiosk's page before axe-core, in every state and every language, and in every look at level AAA for contrast. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { guideFolder } from "./guide-folder.js";
import {
  BRANDED,
  closeBrowserAtTheEnd,
  hasChromium,
  KIOSK_TEST_MS_MAX,
  KioskPage,
  LANGUAGES,
} from "./kiosk-page.js";
import { examplePlant } from "./plant.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Contrast is a matter of the look, and takes most of the time. */
const rulesFor = (hasContrast: boolean) =>
  JSON.stringify({
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    rules: {
      "color-contrast": { enabled: hasContrast },
      "color-contrast-enhanced": { enabled: hasContrast },
    },
    // Of what passes, its name is enough.
    resultTypes: ["violations"],
  });

interface Result {
  readonly passes: readonly { readonly id: string }[];
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** What axe-core finds wrong with the page as it is; that it looked, is held too. */
async function faults({ page }: KioskPage, hasContrast: boolean): Promise<readonly string[]> {
  const { passes, violations } = (await page.evaluate(`axe.run(${rulesFor(hasContrast)})`)) as Result;
  const looked = hasContrast ? ["color-contrast-enhanced", "button-name"] : ["button-name"];
  expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining(looked));
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${html}: ${failureSummary}`),
  );
}

vi.setConfig({ testTimeout: 2 * KIOSK_TEST_MS_MAX });
closeBrowserAtTheEnd();

/** Light, dark on a telephone, and the colours of a brand. */
const LOOKS = [
  { context: { colorScheme: "light" } },
  { context: { colorScheme: "dark", viewport: { width: 390, height: 844 } } },
  { brand: BRANDED.brand },
] as const;

describe
  .skipIf(!hasChromium)
  .each(LANGUAGES.map((language, at) => [language, LOOKS[at % LOOKS.length]!, at < LOOKS.length] as const))(
  "in the language %s (%j, contrast: %s)",
  (language, look, hasContrast) => {
    test("axe-core finds no fault in any state", async () => {
      const { brand = undefined, context = {} } = { ...look } as { brand?: object; context?: object };
      const plant = examplePlant();
      const kiosk = await KioskPage.open({
        context,
        complaints: /DISCONNECTED|503/,
        kiosk: { ...BRANDED, brand: brand ?? {}, suggestions: {}, language },
        world: {
          clock: systemClock,
          config: { "transcription.provider": "none", sites: [plant.site], "guides.dir": guideFolder() },
        },
      });
      const { page } = kiosk;
      const found: Record<string, readonly string[]> = {};
      const lookAt = async (what: string) => {
        found[what] = await faults(kiosk, hasContrast);
      };
      await kiosk.becomes("ready");
      await page.evaluate(AXE);
      await lookAt("start");
      await page.locator("#language").click();
      await lookAt("languages");
      await page.keyboard.press("Escape");
      await page.getByRole("textbox").click();
      await page.locator("#keyboard").waitFor();
      await lookAt("keyboard");
      await page.locator("#keyboard [data-skbtn='{hide}']").click();
      await kiosk.press();
      await kiosk.becomes("listening");
      await lookAt("listening");
      await page.waitForTimeout(RECORDED_MS);
      await kiosk.release();
      await kiosk.becomes("failed");
      await lookAt("error");
      await kiosk.type("Where is the canteen?");
      await kiosk.becomes("speaking");
      await lookAt("answering");
      await page.locator("#stop").click();
      await kiosk.becomes("answered");
      await lookAt("answered");
      plant.fault("withdrawn f1");
      await kiosk.type("Is freezer one running?");
      await kiosk.becomes("unanswered");
      await lookAt("unreachable");
      await kiosk.type("What is the temperature of freezer two?");
      await kiosk.answer.getByText(/-11 °C/).waitFor();
      await lookAt("checked");
      await kiosk.type("walk me through clearing a jam");
      await page.locator("#guide").getByText("Tell the crew.").waitFor();
      await lookAt("guide");
      await kiosk.type("quit the guide");
      await kiosk.becomes("answered");
      await kiosk.type("yes");
      await page.locator("#guide").waitFor({ state: "hidden" });
      await kiosk.type("Who won the chess championship of 1972?");
      await kiosk.becomes("unanswered");
      await lookAt("unanswered");
      await page.locator(".call:visible").click();
      await lookAt("colleague");
      await page.keyboard.press("Escape");
      await kiosk.context.setOffline(true);
      await kiosk.becomes("offline");
      await lookAt("offline");
      expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
      expect(Object.keys(found)).toHaveLength(13);
    });
  },
);

/** More than a tap. */
const RECORDED_MS = 500;
