/** Targets of what a site is asked and what it tells: names in speech, commands for a shell. */
import { NO_TARGETS } from "../../../src/domain/target-context.js";
import { atOnce } from "../../../src/lib/steps.js";
import { loadGrammars } from "../../../src/locale/commands/load.js";
import {
  afterResolution,
  Registry,
  type Resolution,
  resourcesOf,
} from "../../../src/operate/targets/registry.js";
import { resolveTarget } from "../../../src/operate/targets/resolve.js";
import { judgeCommand } from "../../../src/sites/shell/judge.js";
import { loadSqlParser } from "../../../src/sites/shell/sql.js";
import { plantResource } from "../../support/resources.js";
import { must, type Target } from "../target.js";

const PLANT = [
  plantResource("pump", "p2", ["pump two", "P-102"], { area: "Hall 2" }),
  plantResource("pump", "p3", ["pump three", "P-103"], { area: "Hall 2" }),
  plantResource("printer", "lp3", ["label printer on line three"], { area: "Line 3" }),
  plantResource("container", "home", ["homepage-docker"]),
  plantResource("machine", "fill", ["filler", "Abfüller"], { area: "Hall 3" }),
];

/** What is found is always of what is known, and the same at the second time of asking. */
export async function targets(): Promise<Target> {
  const grammars = await loadGrammars();
  const access = { network: "n", username: "ann", groups: [], kiosk: false };
  const known = Registry.EMPTY.with("plant", PLANT).knownTo(access);
  const spoken = afterResolution(NO_TARGETS, { type: "one", resource: PLANT[0]!, how: "name" }, 0);
  return {
    name: "targets",
    seeds: [
      "is pump two running",
      "and the other one?",
      "are all the pumps in hall 2 and the label printer on line three ready",
      "läuft der Abfüller in Halle drei",
    ],
    words: [
      ..."pump to too for fore P-102 tk1 102 two three everything all both the on line hall and in und y et".split(
        " ",
      ),
      ..."printer label homepage docker fill her Abfüller läuft online one won tree B it them second last".split(
        " ",
      ),
    ],
    charsMax: 600,
    check(input) {
      for (const context of [NO_TARGETS, spoken]) {
        const of = (): Resolution =>
          atOnce(resolveTarget({ utterance: input, language: "en" }, { known, context, grammars, nowMs: 0 }));
        const found = of();
        for (const { id } of found.type === "ask" ? found.between : resourcesOf(found))
          must(known.byId(id) !== undefined, `${id} is not known to the user`);
        must(JSON.stringify(found) === JSON.stringify(of()), "the second time something else is found");
      }
    },
  };
}

/** Whatever stands behind a command that writes, all of it is no reading. */
export async function shell(): Promise<Target> {
  await loadSqlParser();
  return {
    name: "shell",
    seeds: [
      "df -h | sort -k5 | tail -3",
      "journalctl -u nginx --since today --no-pager",
      'psql -c "SELECT count(*) FROM jobs WHERE state = 1"',
      'for f in $(ls /var/log); do grep -c error "$f"; done',
    ],
    words: [
      ..."df ls cat grep find ps redis-cli psql systemctl sed awk xargs tee rm mv dd -exec -delete -i".split(
        " ",
      ),
      ..."| || && ; > >> < << $( ) ` { } [[ ]] \" ' \\ $IFS $'\\n' <( $x SELECT DELETE KEYS GET SET".split(
        " ",
      ),
    ],
    charsMax: 600,
    check(input) {
      judgeCommand(input);
      must(
        judgeCommand(`rm -rf /srv\n${input}`).effect === "write",
        "a removal before it is taken for a reading",
      );
    },
  };
}
