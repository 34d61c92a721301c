/** Twice the text takes at most two and a half times as long, whatever a model writes. */
import { holdsDoubling } from "../../test/support/doubling.js";
import { LeakFilter, withoutArtifacts } from "./artifacts.js";

const TOOLS = ["read_sensor", "status", "a", "pump-2.read"];

holdsDoubling("withoutArtifacts", (text) => withoutArtifacts(text, TOOLS));
holdsDoubling("LeakFilter piece by piece", (text) => {
  const filter = new LeakFilter(TOOLS);
  for (let at = 0; at < text.length; at += 4) filter.take(text.slice(at, at + 4));
});
