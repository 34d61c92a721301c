/** Arguments that are programs of their own: whether what an awk program or a sed script says only reads. */
import { type CommandVerdict, READS_BY_CONTENT, refuse } from "./verdict.js";

/**
 * An awk program writes by `print` and `printf` with `>`, by a pipe, `system` or an `@` of gawk. It is not parsed: where
 * one of these characters stands in a string or a regular expression, the program is refused as well.
 */
export function judgeAwk(program: string): CommandVerdict {
  const print = program.indexOf("print");
  const isDoubtful =
    /\bsystem\b|getline|ENVIRON|PROCINFO|\bextension\b|@|\\\r?\n/.test(program) ||
    program.replaceAll("||", "").includes("|") ||
    (print >= 0 && program.indexOf(">", print) >= 0);
  return isDoubtful ? refuse("the awk program may write or run something") : READS_BY_CONTENT;
}

/**
 * Printing, deleting and replacing lines; not `w`, `e` and `r`, nor the flags `w` and `e` of `s`. Whether a delimiter in
 * brackets ends an expression depends on the sed, so there is none.
 */
function sedCommand(): RegExp {
  const expression = (mark: string) =>
    String.raw`(?:[^${mark}\\\n[]|\\[^\n]|\[(?:\[:\w+:\]|[^\][${mark}\\\n])+\])`;
  const address = String.raw`(?:\d+(?:~\d+)?|\$|/${expression("/")}+/I?)`;
  const replacing = ["/", "|", "#", ",", ":"].map((mark) => {
    const escaped = mark === "|" ? "\\|" : mark;
    return String.raw`s${escaped}${expression(mark)}*${escaped}(?:[^${mark}\\\n]|\\[^\n])*${escaped}[gpiI0-9]*`;
  });
  const command = String.raw`(?:${address}(?:,(?:${address}|\+\d+))?)?!?(?:[pdnNhHgGxDPl=]|q\d*|${replacing.join("|")})`;
  return new RegExp(`${command}(?: ?; ?|$)`, "y");
}

const SED_COMMAND = sedCommand();

/** Whether a sed script only reads: nothing but commands as above. */
export function judgeSed(text: string): CommandVerdict {
  const script = text.trim();
  SED_COMMAND.lastIndex = 0;
  do {
    if (!SED_COMMAND.test(script)) return refuse("the sed script is not known to only read");
  } while (SED_COMMAND.lastIndex < script.length);
  return READS_BY_CONTENT;
}
