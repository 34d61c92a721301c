/**
 * Words about who may read a document, as people write them: with typing errors, in other letters, in six languages.
 * Everything is compared after `folded`, so that look-alike letters, capitals and accents make no difference.
 */
import { isWithin } from "../../lib/edit-distance.js";

/**
 * `certain`: nothing else is called so, such as `visiblity` or `allowed_user`. `likely`: about access wherever keys
 * stand, such as `access`. `possible`: about access among a document's own properties, such as `audience`.
 */
export type KeyLevel = "certain" | "likely" | "possible";

/** Characters of a key that are looked at; longer ones are sentences. */
export const KEY_CHARS_MAX = 60;
/** Words of a key that has others in front of it. */
const KEY_WORDS_MAX = 4;

/**
 * What a key is about. `isStructured`: it stands where only keys stand, so that words in front of it do not make it
 * another one (`DC.accessRights`, `readback:visibility`). Time is bounded, whatever the text.
 */
export function keyLevel(key: string, isStructured: boolean): KeyLevel | undefined {
  if (key.length > 2 * KEY_CHARS_MAX) return undefined;
  const words = keyWords(key);
  if (words.length === 0) return undefined;
  const whole = words.join("");
  if (whole.length > KEY_CHARS_MAX) return undefined;
  const spelt = levelOf(whole);
  if (spelt !== undefined || words.every((word) => word.length === 1)) return spelt;
  const rest = words.filter((word) => !AROUND.has(word));
  if (rest.length < words.length && rest.length > 0) {
    const found = levelOf(rest.join(""));
    if (found !== undefined) return found;
  }
  if (!isStructured || words.length > KEY_WORDS_MAX) return undefined;
  for (let first = 1; first < words.length; first += 1) {
    const found = levelOf(words.slice(first).join(""));
    if (found === "certain" || found === "likely") return found;
  }
  return undefined;
}

/** Whether a value of few words says that not everybody may read. */
export function isRestrictive(value: string): boolean {
  // A path or an address is none, whatever its parts are called.
  if (value.includes("/")) return false;
  const words = valueWords(value);
  return words.length <= VALUE_WORDS_MAX && words.some(restricts);
}

/** Whether one of the words, however many they are, says so. */
export function mentionsRestriction(value: string): boolean {
  return valueWords(value).some(restricts);
}

export function valueWords(value: string): readonly string[] {
  return folded(value.slice(0, VALUE_CHARS_MAX)).match(/[\p{L}\p{N}]+/gu) ?? [];
}

const VALUE_CHARS_MAX = 200;
const VALUE_WORDS_MAX = 4;

/** Small letters without accents; letters that look like Latin ones as those, in every alphabet. */
export function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .replace(LOOK_ALIKE, (letter) => LOOK_ALIKES.get(letter)!);
}

const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwкkмmнhтtвbгrαaεeιiκkνvοoρpτtυuχxηnłlıiøoɡgʟlɪi"
    .match(/../gu)!
    .map((pair) => [pair[0]!, pair[1]!]),
);
const LOOK_ALIKE = new RegExp(`[${[...LOOK_ALIKES.keys()].join("")}]`, "g");

/** `allowedUsers`, `allowed_users` and `Allowed users` are the same two words. */
function keyWords(key: string): readonly string[] {
  const parted = key.normalize("NFKC").replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  return folded(parted).match(/\p{L}+/gu) ?? [];
}

const list = (words: string) => words.split(/\s+/).map((word) => folded(word));

/** Words around a key that leave it what it is. */
const AROUND: ReadonlySet<string> = new Set(
  list(
    "document documents file page post readback rb dc x data meta content this the level setting to for is are of",
  ),
);

const CERTAIN = list(
  `visibility visible visibleto allowedusers allowedgroups alloweduser allowedgroup allowusers allowgroups usersallowed
  groupsallowed allowedreaders allowedroles allowedviewers allowedteams allowedto
  sichtbarkeit sichtbarfür erlaubtebenutzer erlaubtegruppen visibilidad usuariospermitidos grupospermitidos visibilité
  utilisateursautorisés groupesautorisés widoczność dozwoleniużytkownicy dozwolonegrupy видимість дозволенікористувачі
  дозволенігрупи`,
);
const LIKELY = list(
  `access accessible accessibleto accessrights accesslevel accesscontrol accesslist accessgroups accessusers readaccess
  acl allowed allow permission permissions permitted permittedusers permittedgroups authorizedusers authorisedusers
  authorizedgroups authorisedgroups confidential confidentiality restricted restrictedto restriction restrictions reader
  readers readableby whomayread sharedwith viewers nobody
  zugriff zugriffsrechte berechtigung berechtigungen vertraulich vertraulichkeit leser acceso permisos confidencial
  confidencialidad lectores accès confidentiel confidentialité lecteurs dostęp uprawnienia poufne poufność czytelnicy
  доступ дозволи конфіденційно конфіденційність читачі`,
);
const POSSIBLE = list(
  `audience classification sensitivity secrecy clearance privacy private public internal protected distribution security
  securitylevel rights roles role groups group users user sharing share scope embargo
  zielgruppe klassifizierung geheimhaltung benutzer gruppen rollen nutzer destinatarios clasificación usuarios grupos
  public utilisateurs groupes diffusion odbiorcy klasyfikacja użytkownicy grupy аудиторія класифікація користувачі групи`,
);
/** Beginnings of words that keep people out. */
const RESTRICTIVE = list(
  `restrict private confidential secret internal nobody noone eingeschränkt beschränkt vertraulich geheim intern privat
  niemand restringid confidencial secreto privado interno nadie restreint confidentiel privé interne personne ograniczon
  poufn tajn prywatn wewnętrzn nikt обмежен конфіденц таємн приватн внутрішн ніхто`,
);

function levelOf(joined: string): KeyLevel | undefined {
  if (resemblesOne(joined, CERTAIN, 2)) return "certain";
  if (resemblesOne(joined, LIKELY, 1)) return "likely";
  return POSSIBLE.includes(joined) ? "possible" : undefined;
}

/** Letters of a word from which on one, or two, may be wrong: shorter ones are other words then. */
const LETTERS_FOR_ONE_ERROR = 8;
const LETTERS_FOR_TWO_ERRORS = 10;

function resemblesOne(word: string, known: readonly string[], errorsMax: 1 | 2): boolean {
  return known.some(({ length }, index) => {
    const allowed = length >= LETTERS_FOR_TWO_ERRORS ? 2 : length >= LETTERS_FOR_ONE_ERROR ? 1 : 0;
    return isWithin(Math.min(allowed, errorsMax), word, known[index]!);
  });
}

function restricts(word: string): boolean {
  return (
    RESTRICTIVE.some(
      (beginning) => word.startsWith(beginning) || (beginning.length >= 7 && isWithin(1, word, beginning)),
    ) || isWithin(2, word, "restricted")
  );
}
