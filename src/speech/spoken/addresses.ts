/** Addresses and names of files: of a URL the host, of a mailbox all of it, of a path its last part. */
import { pattern } from "../../lib/pattern.js";
import { lettersApart } from "./codes.js";
import type { SpokenLanguage } from "./language.js";
import { matchAt, type Reader } from "./reader.js";

const URL_OF =
  /(?:https?|ftp):\/\/(?:[^\s/@]{1,253}@)?(?:www\.)?([^\s/:?#<>()[\]]{1,253})[^\s<>()[\]]*(?<![.,;:!?])/iuy;
const MAILBOX =
  /(?:mailto:)?([\p{L}\p{N}_%+-]{1,64}(?:\.[\p{L}\p{N}_%+-]{1,64}){0,8})@((?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24})/iuy;
const ENDINGS = "com|org|net|edu|gov|io|eu|info|es|mx|fr|de|at|ch|pl|ua|uk|be|us|ca";
const HOST = new RegExp(
  "(?:www\\.((?:[\\p{L}\\p{N}-]{1,63}\\.){1,8}\\p{L}{2,24})" +
    `|((?:[a-z0-9][a-z0-9-]{1,62}\\.){1,8}(?:${ENDINGS})))(?![\\p{L}\\p{N}])(?:[/:?#][^\\s<>` +
    "()[\\]]*(?<![.,;:!?]))?",
  "iuy",
);
const FILE = pattern("iuy")`
  (?:[\p{L}\p{N}~.-]{0,64}[/\\]){0,16}([\p{L}\p{N}_-]{1,80}
  (?:\.[\p{L}\p{N}_-]{1,40}){0,2})\.(pdf|docx?|xlsx?|pptx?|csv|txt|html?|json|xml|ya?ml
  |zip|jpe?g|png|svg|log|exe|md|dwg|dxf|mp[34]|bin|cfg|ini)(?![\p{L}\p{N}])
`;

export function addressReader(language: SpokenLanguage): Reader {
  const { signs } = language;
  const host = (name: string) =>
    name
      .split(".")
      .map((part) => plainName(part, language))
      .join(` ${signs.dot} `);
  return (text, at) => {
    // An address begins where nothing went before that could be a part of it.
    if (at > 0 && /[\p{L}\p{N}./\\@_~-]/u.test(text[at - 1]!)) return undefined;
    const url = matchAt(URL_OF, text, at);
    if (url !== undefined)
      return { words: host(url[1]!.replace(/(?<!\.)\.+$/, "")), end: at + url[0].length };
    const mailbox = matchAt(MAILBOX, text, at);
    if (mailbox !== undefined)
      return { words: `${host(mailbox[1]!)} ${signs.at} ${host(mailbox[2]!)}`, end: at + mailbox[0].length };
    const file = matchAt(FILE, text, at);
    if (file !== undefined) return { words: sayFile(file[1]!, file[2]!, language), end: at + file[0].length };
    const bare = matchAt(HOST, text, at);
    return bare === undefined ? undefined : { words: host(bare[1] ?? bare[2]!), end: at + bare[0].length };
  };
}

function sayFile(name: string, extension: string, language: SpokenLanguage): string {
  const words = name
    .split(".")
    .map((part) => plainName(part, language))
    .join(` ${language.signs.dot} `);
  return `${words} ${language.signs.dot} ${lettersApart(extension.toUpperCase(), language)}`;
}

/** Words and numbers of a name without the marks between them. */
function plainName(name: string, language: SpokenLanguage): string {
  const { numbers, signs } = language;
  return (name.match(/\d|[\p{L}\p{M}]+|-/gu) ?? [])
    .map((part) =>
      /\d/.test(part) ? numbers.count(part) : part === "-" ? signs.dash : lettersApart(part, language),
    )
    .join(" ");
}
