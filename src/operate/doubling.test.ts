/** Twice the text takes at most two and a half times as long, whatever is asked of a site. */
import { holdsDoubling } from "../../test/support/doubling.js";
import { english } from "../../test/support/locales.js";
import { plantResource } from "../../test/support/resources.js";
import { NO_TARGETS } from "../domain/target-context.js";
import { atOnce } from "../lib/steps.js";
import { loadGrammars } from "../locale/commands/load.js";
import { commands } from "../routing/commands.js";
import { Registry } from "./targets/registry.js";
import { resolveTarget } from "./targets/resolve.js";
import { wantedIn } from "./wanted.js";

const grammars = await loadGrammars();
const [kinds, ids] = [["pump", "press", "label printer"], [...Array(40).keys()]];
const things = kinds.flatMap((kind) =>
  ids.map((i) => plantResource("unit", `${kind}-${i}`, [`${kind} ${i}`], { area: `hall ${i % 3}` })),
);
const access = { network: "n", username: "ann", groups: [], kiosk: false };
const known = Registry.EMPTY.with("plant", things).knownTo(access);
const told = atOnce(commands.with("equipment", known.names(things.length)));
const context = NO_TARGETS;

holdsDoubling("resolveTarget", (utterance) =>
  atOnce(resolveTarget({ utterance, language: "en" }, { known, context, grammars, nowMs: 0 })),
);
holdsDoubling("wantedIn", (question) => {
  const from = { question, mentions: [], commands: told, known, context, offered: ["status", "load"] };
  return atOnce(wantedIn({ ...from, machines: [], locale: english, nowMs: 0 }));
});
