/**
 * Takes the values of passwords, tokens and keys out of source and configuration text, so that no index, prompt or voice
 * ever has them. It rather masks too much: a masked setting can still be found by its name. Lines keep their places.
 */
import { pattern } from "../../lib/pattern.js";
import { REDACTED, redactShapes } from "../../lib/secrets.js";

export interface MaskedText {
  readonly text: string;
  /** Values that were masked. */
  readonly maskedCount: number;
}

/** `bareValues`: values without quotation marks are masked as well, as configuration files have them. */
export function maskSecrets(text: string, bareValues: boolean): MaskedText {
  const lines = privateKeysMasked(text).split("\n");
  const isKubernetesSecret =
    bareValues && lines.some((line) => /^\s*"?kind"?:\s*"?Secret"?\s*,?$/.test(line));
  const masker = new LineMasker(bareValues, isKubernetesSecret);
  const masked = lines.map((line) => masker.line(line)).join("\n");
  return { text: masked, maskedCount: masked.split(REDACTED).length - text.split(REDACTED).length };
}

/** A key is a secret's when it ends in one of these, whatever stands before. */
const SECRET_NOUN =
  "(?:passwords?|passwd|pwd|pass|passphrases?|passcode|secrets?|tokens?|api_?keys?|access_?keys?(?:_?id)?|private_?keys?|" +
  "secret_?keys?(?:_?base)?|auth_?keys?|encryption_?keys?|signing_?keys?|master_?keys?|account_?keys?|shared_?keys?|" +
  "ssh_?keys?|license_?keys?|client_?secrets?|credentials?|connection_?strings?|bearer|authorization|psk|pin|salt|otp)";
const SECRET_KEY = new RegExp(`(?:^|_)${SECRET_NOUN}(?:_?\\d+|_(?:value|hash|dev|prod|test|staging))?$`);

/** Whether a setting of this name has a secret for its value: `dbPassword`, `API-KEY`, `aws_secret_access_key`. */
export function isSecretKey(key: string): boolean {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const joined = words.filter((word) => word !== "").join("_");
  return SECRET_KEY.test(joined) && !COUNTS.test(joined);
}

/** Numbers of tokens, not tokens. */
const COUNTS =
  /(?:^|_)(?:max|min|num|total|prompt|completion|output|input|stop|pad|eos|bos|special)_tokens?$/;

/** A key with what separates it from its value: `key: `, `"key" = `, `key=>`, `<key>`, `--key `, `ENV key `. */
const KEY =
  /(?<![\w.$@-])(?<key>[\w.$@-]{0,120}[\w$])(?<between>["'`]?\]?\s*(?::=|=>|[:=])\s*|>\s*(?=[^\s<])|\s+(?=["']))/g;
const FLAG = /(?<=\s)--(?<key>[\w-]+)(?<between>\s+)(?=[^\s-])/g;
const DOCKER_PAIR = /^\s*(?:ENV|ARG)\s+(?<key>\w+)(?<between>\s+)(?=\S)/gi;

/** A value that stands for one kept elsewhere, or for none. */
const REFERENCE = pattern("i")`
  ^["'\x60]?(?:\$\{[^}]*\}|\$\(?\w+\)?|\{\{[^}]*\}\}|%\w+%|<[^<>]*>|\*+|null|nil|none|true
  |false|undefined|~|[|>][-+\d]*|\[redacted\])?["'\x60]?[\s,;)\]}]*(?:#.*)?$
`;

const QUOTED = /^(?:[a-zA-Z@$]{0,2})(?<quote>["'`])(?:\\.|(?!\k<quote>)[^\\])*(?:\k<quote>|$)/;
const BARE = /^[^\s,;<>#"'`{}[\]()][^\s#<,;]*(?:[^\S\n]+[^\s#<,;]+)*(?=\s*(?:[,;<]|\s#|$))/;

class LineMasker {
  /** Everything that is indented deeper is a secret: the indentation of the key above. */
  #below: number | undefined;

  constructor(
    private readonly bareValues: boolean,
    private readonly isKubernetesSecret: boolean,
  ) {}

  line(line: string): string {
    const indent = line.search(/\S|$/);
    if (line.trim() !== "" && this.#below !== undefined && indent <= this.#below) this.#below = undefined;
    if (this.#below !== undefined && line.trim() !== "") return allMasked(line);
    if (this.bareValues && this.#opensSecrets(line)) this.#below = indent;
    return redactShapes(knownShapesMasked(this.#pairsMasked(line)));
  }

  /** `credentials:` and `[secrets]` with values in the lines below. */
  #opensSecrets(line: string): boolean {
    const key = /^\s*(?:-\s+)?["']?([\w.-]+)["']?\s*[:=]\s*(?:(?:[|>][-+\d]*|[{[])\s*)?$/.exec(line)?.[1];
    if (key === undefined) return false;
    return isSecretKey(key) || (this.isKubernetesSecret && /^(?:data|stringData)$/.test(key));
  }

  #pairsMasked(line: string): string {
    const patterns = this.bareValues ? [KEY, FLAG, DOCKER_PAIR] : [KEY];
    return patterns.reduce((text, pattern) => this.#maskedAfter(text, pattern), line);
  }

  #maskedAfter(line: string, pattern: RegExp): string {
    let text = "";
    let at = 0;
    for (const match of line.matchAll(pattern)) {
      const valueAt = match.index + match[0].length;
      if (valueAt < at || !isSecretKey(match.groups!.key!)) continue;
      const rest = line.slice(valueAt);
      const value = QUOTED.exec(rest)?.[0] ?? (this.bareValues ? BARE.exec(rest)?.[0] : undefined);
      if (value === undefined || REFERENCE.test(value)) continue;
      const quote = /["'`]/.exec(value)?.[0] ?? "";
      text += `${line.slice(at, valueAt)}${quote}${REDACTED}${quote}`;
      at = valueAt + value.length;
    }
    return text + line.slice(at);
  }
}

/** A line below a secret's key: its own key stays, where it has one. */
function allMasked(line: string): string {
  const key = /^\s*(?:-\s+)?(?:["']?[\w.-]+["']?\s*[:=]\s*|["'])?/.exec(line)?.[0] ?? "";
  const value = line.slice(key.length);
  return REFERENCE.test(value) || /^\s*[[{(}\])]/.test(line) ? line : `${key}${REDACTED}`;
}

/** Keys that give themselves away by their shape: of clouds, code hosts and chats, and JSON web tokens. */
const SHAPES = pattern("g")`
  \b(?:A(?:KIA|SIA)[A-Z0-9]{16}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}
  |xox[abprs]-[\w-]{10,}|AIza[\w-]{30,}|eyJ[\w-]{8,500}\.eyJ[\w-]{8,}\.[\w-]*|npm_\w{30,}
  |(?:sk|rk)_live_\w{10,})
`;

function knownShapesMasked(line: string): string {
  return line.replace(SHAPES, REDACTED);
}

/** Keys in PEM form, line by line. */
function privateKeysMasked(text: string): string {
  return text.replace(
    /(-----BEGIN [A-Z ]*PRIVATE KEY-----)([^-]*(?:-(?!----END [A-Z ]*PRIVATE KEY-----)[^-]*)*)(-----END [A-Z ]*PRIVATE KEY-----|)/g,
    (_all, begin: string, key: string, end: string) =>
      `${begin}${key.replace(/[^\s\\]+/g, (part) => (part === "n" ? part : REDACTED))}${end}`,
  );
}
