// The last step of the build: compiles the commands of every language once, so that no start of the service has to; what
// is wrong with their files ends the build.
import { keepCompiled } from "../dist/src/locale/commands/compiled.js";
import { commandsFiles, grammarsOf } from "../dist/src/locale/commands/load.js";

const files = await commandsFiles();
const texts = files.map(({ text }) => text);
keepCompiled(texts, grammarsOf(files));
