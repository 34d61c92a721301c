/** Twice the command takes at most two and a half times as long, whatever the command. */
import { holdsDoubling } from "../../../test/support/doubling.js";
import { judgeCommand } from "./judge.js";
import { loadSqlParser } from "./sql.js";

await loadSqlParser();

const COMMAND = { charsMax: 4_096 };

holdsDoubling("judgeCommand", judgeCommand, COMMAND);
holdsDoubling(
  "judgeCommand of words",
  (text) => judgeCommand(`ls ${"-l ".repeat(text.length / 3)}`),
  COMMAND,
);
holdsDoubling(
  "judgeCommand of pipes",
  (text) => judgeCommand(`ls ${"| cat ".repeat(text.length / 6)}`),
  COMMAND,
);
holdsDoubling("judgeCommand of nesting", (text) => judgeCommand("{ ls; ".repeat(text.length / 6)), COMMAND);
holdsDoubling("judgeCommand of substitutions", (text) => judgeCommand("$(".repeat(text.length / 2)), COMMAND);
holdsDoubling(
  "judgeCommand of SQL",
  (text) => judgeCommand(`psql -c 'SELECT ${text.replaceAll("'", "")}'`),
  COMMAND,
);
holdsDoubling(
  "judgeCommand of sed",
  (text) => judgeCommand(`sed '${"/a/p;".repeat(text.length / 5)}'`),
  COMMAND,
);
holdsDoubling("judgeCommand of awk", (text) => judgeCommand(`awk '${text.replaceAll("'", "")}' f`), COMMAND);
