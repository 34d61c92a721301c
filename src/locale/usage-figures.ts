/** Whether a message carries figures of a meter or a quota, in the words of the platforms that meter. Pure. */

/** What a platform meters; a plant has usage and consumption of its own, so that these alone mean nothing. */
const METERED =
  "(?:quota|cuota|project usage|api (?:calls?|requests?|usage|key)|" +
  "(?:monthly|daily|plan|account|billing|token|request|storage|rate) (?:usage|limit|allowance|quota)|" +
  "tokens?|credits?|creditos|requests?|llamadas|peticiones|seats?|licen[cs]es?|subscription|suscripcion)";
const UNIT = "\\s?(?:%|percent|por ciento|k\\b|m\\b)?";
const FIGURE = `\\d[\\d.,]*${UNIT}`;

const USAGE_DATA: readonly RegExp[] = [
  /(?:quota|usage|credits?|tokens?|requests?|billing|balance|seats?|calls)\w{0,40}["']?\s*[:=]\s*["']?\d/i,
  new RegExp(`\\b(?:usage|used|remaining) percent(?:age)?\\b[^.?!]{0,30}${FIGURE}`, "i"),
  new RegExp(
    `\\d[.,]*${UNIT}\\s?(?:of|from|de|del)\\s(?:your|my|our|the|his|tu|mi|su|la)?\\s?${METERED}`,
    "i",
  ),
  new RegExp(
    `\\b${METERED}\\b[^.?!\\n]{0,24}?(?:is|are|at|of|used|left|reached|esta|:|=)\\s?(?:at\\s)?${FIGURE}\\s?(?:%|percent|of|out of|\\/)`,
    "i",
  ),
  new RegExp(`(?<![\\w.,])[.,]*\\d[\\d.,]*k?\\s?(?:\\/|of|out of|de)\\s?\\d[\\d.,]*k?\\s${METERED}`, "i"),
];

/** RC-02: the message itself carries figures of a meter or a quota. */
export function hasUsageData(message: string): boolean {
  const text = message.slice(0, DATA_CHARS_MAX);
  return USAGE_DATA.some((pattern) => pattern.test(text));
}

const DATA_CHARS_MAX = 2_000;
