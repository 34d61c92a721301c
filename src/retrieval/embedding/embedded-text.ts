/** What of a chunk is embedded: where it stands and what it says, so that a bare step is found by its procedure's name. */

/** Title, headings and text on lines of their own; a heading that repeats the title is left out. */
export function embeddedText(title: string, headings: readonly string[], text: string): string {
  const place = [title, ...headings.filter((heading) => heading !== title)];
  return [...place.filter((line) => line !== ""), text].join("\n");
}
