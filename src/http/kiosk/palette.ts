/**
 * The colours of a kiosk's page, made from the few that its settings give. What could not be read is refused, with a
 * colour that would do: WCAG 2.2, 1.4.6 (text), 1.4.3 (the large words on the button) and 1.4.11 (the button's edge).
 */
import { contrast, luminance, mixed } from "../../lib/colour.js";

/** Colours as the settings have them; what is absent is the page's own, or follows from the others. */
export interface ColourSettings {
  /** Of the button and of everything that is pressed. */
  readonly accent?: string | undefined;
  readonly background?: string | undefined;
  readonly text?: string | undefined;
}

/** Names of the custom properties in `kiosk/page/style.css`, without their dashes. */
export type Tone =
  | "paper"
  | "card"
  | "line"
  | "ink"
  | "quiet"
  | "accent"
  | "on-accent"
  | "accent-soft"
  | "alert"
  | "alert-soft"
  | "focus";

export interface Palette {
  readonly scheme: "light" | "dark";
  readonly tones: Readonly<Record<Tone, string>>;
}

/** Contrast of text, of large text, and of what is not text. */
export const TEXT = 7;
export const LARGE_TEXT = 4.5;
export const CONTROL = 3;

const ACCENT = "#0b5348";
const BACKGROUND = "#f6f3ec";
const INK = { light: "#14211d", dark: "#f3f1ea" } as const;
const ALERT = {
  light: { alert: "#8a1a0c", "alert-soft": "#fbe6df" },
  dark: { alert: "#ffb4a3", "alert-soft": "#3a1710" },
} as const;

/** A background of this luminance or more is a light one: black and white contrast with it alike. */
const LIGHT_FROM = 0.179;

/** Throws where something could not be read, with what would do instead. */
export function paletteOf({ accent = ACCENT, background = BACKGROUND, text }: ColourSettings): Palette {
  const scheme = luminance(background) >= LIGHT_FROM ? "light" : "dark";
  const ink = text ?? INK[scheme];
  assertContrast("text", ink, "background", background, TEXT);
  assertContrast("accent", accent, "background", background, CONTROL);
  const card = scheme === "light" ? mixed("#ffffff", background, 0.8) : mixed(ink, background, 0.07);
  const cards = [card, background].filter((tone) => reads(ink, tone) && contrast(accent, tone) >= CONTROL);
  const quiets = [0.82, 0.9].map((share) => mixed(ink, background, share));
  const softs = [0.16, 0.08].map((share) => mixed(accent, background, share));
  return {
    scheme,
    tones: {
      paper: background,
      card: cards[0]!,
      line: mixed(ink, background, 0.2),
      ink,
      quiet: quiets.find((tone) => reads(tone, background) && reads(tone, cards[0]!)) ?? ink,
      accent,
      "on-accent": contrast("#ffffff", accent) >= LARGE_TEXT ? "#ffffff" : "#000000",
      "accent-soft": softs.find((tone) => reads(ink, tone)) ?? background,
      ...ALERT[scheme],
      focus: ink,
    },
  };
}

function reads(front: string, back: string): boolean {
  return contrast(front, back) >= TEXT;
}

function assertContrast(front: string, colour: string, back: string, background: string, min: number): void {
  const found = contrast(colour, background);
  if (found >= min) return;
  const shown = `${front} ${colour} on ${back} ${background}`;
  const instead = nearest(colour, background, min);
  const advice = instead === undefined ? `take another ${back}` : `${instead} would do`;
  throw new Error(
    `${shown} has a contrast of ${floored(found)} to 1, and it takes ${min} to be read; ${advice}`,
  );
}

/** The colour closest to `colour` on its way to black or white that contrasts with `background`. */
function nearest(colour: string, background: string, min: number): string | undefined {
  const end = luminance(background) >= LIGHT_FROM ? "#000000" : "#ffffff";
  const steps = Array.from({ length: 101 }, (_, step) => mixed(end, colour, step / 100));
  return steps.find((step) => contrast(step, background) >= min);
}

/** Rounded down: what falls short must not look as if it did not. */
function floored(ratio: number): string {
  return (Math.floor(ratio * 10) / 10).toFixed(1);
}
