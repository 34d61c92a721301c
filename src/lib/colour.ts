/** Colours written `#rrggbb`: how well they can be told apart, and what is between them. */

/** What a colour is written as. */
export const COLOUR = /^#[0-9a-f]{6}$/i;

/** The contrast of two colours, 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** A colour between two; `share`: how much of the first there is in it, 0 to 1. */
export function mixed(one: string, other: string, share: number): string {
  const others = channels(other);
  const parts = channels(one).map((part, at) => Math.round(part * share + others[at]! * (1 - share)));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
export function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Red, green and blue, 0 to 255 each. */
function channels(colour: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
