/** What models leak into their text, and what of it is cut: the table of Pulse. */
import { readFileSync } from "node:fs";
import { it } from "vitest";
import { DecorationFilter, LeakFilter, withoutArtifacts } from "../../src/llm/artifacts.js";
import { expectTable } from "../support/table-rows.js";

interface Streamed {
  readonly label: string;
  readonly chunks: readonly string[];
  readonly visible?: readonly string[];
  readonly leak?: readonly boolean[];
  readonly held?: string;
  readonly flush_visible?: string;
}

interface Cleaned {
  readonly label?: string;
  readonly input: string;
  readonly clean: string;
}

const table = JSON.parse(readFileSync(new URL("pulse_artifact_cases.json", import.meta.url), "utf8")) as {
  readonly clean: readonly Cleaned[];
  readonly contains_marker: readonly {
    readonly label: string;
    readonly input: string;
    readonly has_marker: boolean;
  }[];
  readonly seed_variant_markers: readonly Cleaned[];
  readonly streaming: readonly Streamed[];
  readonly decoration: Cleaned;
};
const TOOLS = ["pulse_query", "pulse_discovery", "pulse_question", "pulse_read"];

/** As a stream is read: leaks first, then decoration. */
function streamed({ chunks, flush_visible, held, leak, visible }: Streamed): boolean {
  const filter = new LeakFilter(TOOLS);
  const decoration = new DecorationFilter();
  const shown = chunks.map((chunk) => ({
    text: decoration.take(filter.take(chunk)),
    leak: filter.hasLeaked,
  }));
  const rest = filter.take("", { isLast: true });
  return (
    (visible === undefined || JSON.stringify(shown.map(({ text }) => text)) === JSON.stringify(visible)) &&
    (leak === undefined || JSON.stringify(shown.map((one) => one.leak)) === JSON.stringify(leak)) &&
    (held === undefined || rest === held) &&
    (flush_visible === undefined || rest === flush_visible)
  );
}

it("holds the table", () => {
  const { clean, contains_marker: markers, decoration, seed_variant_markers: variants, streaming } = table;
  const cleaned = [...clean, ...variants].map(({ clean: wanted, input, label }) => ({
    id: `clean: ${label ?? input}`,
    holds: withoutArtifacts(input, TOOLS) === wanted,
  }));
  const found = markers.map(({ has_marker: has, input, label }) => {
    const filter = new LeakFilter(TOOLS);
    filter.take(input, { isLast: true });
    return { id: `marker: ${label}`, holds: filter.hasLeaked === has };
  });
  const pieces = streaming.map((row) => ({ id: `streaming: ${row.label}`, holds: streamed(row) }));
  const signs = { id: "decoration", holds: withoutArtifacts(decoration.input, TOOLS) === decoration.clean };
  expectTable("pulse_artifact_cases", [...cleaned, ...found, ...pieces, signs], {
    "streaming: run-together text never followed by a call is still not shown at flush":
      "text without spaces is an answer in many languages, and the gate says none of it that nothing bears out",
  });
});
