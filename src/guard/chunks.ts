/** Pieces of `charsMax` UTF-16 units at the most, each of which overlaps the next by half; no blank ones. Pure. */
export function chunksOf(text: string, charsMax: number): readonly string[] {
  const step = Math.floor(charsMax / 2);
  const count = Math.max(1, Math.ceil(text.length / step) - 1);
  const chunks = Array.from({ length: count }, (_, i) => text.slice(i * step, i * step + charsMax));
  return chunks.filter((chunk) => chunk.trim() !== "");
}
