/** Twice the command takes at most two and a half times as long, whatever the command. */
import { holdsDoubling, repeating } from "../../../test/support/doubling.js";
import { judgeCommand } from "./judge.js";
import { loadSqlParser } from "./sql.js";

await loadSqlParser();

const COMMAND = { charsMax: 4_096 };

holdsDoubling("judgeCommand", judgeCommand, COMMAND);
holdsDoubling("judgeCommand of words and pipes", (text) => judgeCommand(`ls ${text}`), {
  ...COMMAND,
  families: ["-l ", "| cat "].map(repeating),
});
holdsDoubling("judgeCommand of what nests", judgeCommand, {
  ...COMMAND,
  families: ["{ ls; ", "$("].map(repeating),
});
holdsDoubling(
  "judgeCommand of SQL",
  (text) => judgeCommand(`psql -c 'SELECT ${text.replaceAll("'", "")}'`),
  COMMAND,
);
holdsDoubling("judgeCommand of sed", (text) => judgeCommand(`sed '${text}'`), {
  ...COMMAND,
  families: [repeating("/a/p;")],
});
holdsDoubling("judgeCommand of awk", (text) => judgeCommand(`awk '${text.replaceAll("'", "")}' f`), COMMAND);
