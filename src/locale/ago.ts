/** How long ago something was, as a language says it: "2 minutes ago". */

const MS_OF = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

const formats = new Map<string, Intl.RelativeTimeFormat>();

/** In the largest unit of which it is one and a half, down to minutes. `language`: a BCP 47 tag. */
export function ago(ms: number, language: string): string {
  // Formatters cost milliseconds to make, so they are kept.
  const format = formats.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: "always" });
  formats.set(language, format);
  const [unit, unitMs] = MS_OF.find(([, each]) => ms >= 1.5 * each) ?? MS_OF[2];
  return format.format(-Math.max(1, Math.round(ms / unitMs)), unit);
}
