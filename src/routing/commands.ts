/** The commands that are understood here: the sentence templates of every language, loaded and checked at the start. */
import { Commands } from "../locale/commands/commands.js";
import { loadGrammars } from "../locale/commands/load.js";

export const commands = new Commands(await loadGrammars());
