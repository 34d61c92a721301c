/** Twice the text takes at most two and a half times as long, whatever a site's system sends. */
import { holdsDoubling } from "../../test/support/doubling.js";
import { measuredValue, readingsOf, takenAt, unitName } from "./readings.js";

const context = {
  tool: "plant.get",
  reads: { level: { value: "", maxAgeMs: 1_000 } },
  targetOf: () => "plant/tank/t1",
};

holdsDoubling("measuredValue", (text) => measuredValue(text, undefined));
holdsDoubling("measuredValue of a short text", (text) => measuredValue(text, "bar"), { charsMax: 200 });
holdsDoubling("takenAt", (text) => takenAt(text, 0));
holdsDoubling("unitName", (text) => unitName(text));
holdsDoubling("readingsOf", (text) => readingsOf({ content: text, takenAtMs: 0 }, context));
