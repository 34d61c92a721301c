/** Words that limits are written with, in six languages: what else a sentence has is about something else than the limit. */
import { STOP_WORDS } from "./polarity.js";
import { RULE_WORDS } from "./questions.js";

const set = (...words: readonly string[]): ReadonlySet<string> => new Set(words.join(" ").split(" "));

/** With them a figure is the most, or the least, that there may be. */
export const UPPER_WORDS = set(
  "maximum max highest limit höchste höchster höchstwert maximal maximale maximaler máximo máxima",
  "maximal maximale maksymalny maksymalna maksymalne максимальний максимальна",
);
export const LOWER_WORDS = set(
  "minimum min lowest niedrigste mindestwert minimal minimale minimaler mínimo mínima",
  "minimalny minimalna minimalne мінімальний мінімальна",
);

/** Orders to keep something as it has to be. */
const KEEPING_WORDS = set(
  "keep kept store stored hold held maintain maintained never always ensure",
  "halten gehalten lagern gelagert immer stets mantener mantenga mantenerse manténgase almacenar siempre",
  "maintenir maintenez maintenu conserver conservez toujours utrzymywać utrzymuj przechowywać zawsze",
  "тримати тримайте підтримувати зберігати завжди",
);

/** Words of being so much, of rising to it and of falling below it. */
const BEING_WORDS = set(
  "stay stays remain remains run runs running operate operates operated operating working set let lets allow",
  "exceed exceeds exceeding rise rises raise fall falls drop drops get gets go goes above below inside range value",
  "higher lower warmer colder cooler hotter greater warm cold hot cool degree degrees make sure please",
  "bleiben bleibt liegen liegt sein werden betragen beträgt überschreiten unterschreiten überschritten unterschritten",
  "steigen fallen sinken warm kalt über zwischen mehr weniger als grad lassen betreiben betrieben",
  "superar supere exceder exceda bajar baje subir suba estar ser entre encima debajo menos menor mayor grados",
  "rester reste dépasser dépasse descendre monter être entre dessous dessus inférieure supérieure inférieur supérieur degrés",
  "przekraczać przekroczyć spadać spaść wzrosnąć być wynosić między poniżej powyżej więcej mniej niż wyższa niższa stopni",
  "перевищувати перевищити опускатися падати бути становити між нижче вище більше менше ніж градусів",
);

/** Words by which a figure binds: "must", "allowed", "keep". */
export const BINDING_WORDS: ReadonlySet<string> = new Set([...RULE_WORDS, ...KEEPING_WORDS]);

/** All words that may stand in a sentence which says no more than a limit. */
export const LIMIT_WORDS: ReadonlySet<string> = new Set([
  ...BINDING_WORDS,
  ...BEING_WORDS,
  ...UPPER_WORDS,
  ...LOWER_WORDS,
  ...Object.values(STOP_WORDS).flat(),
]);

/** Words that take something out of a rule, or waive it. */
export const EXCEPTING_WORDS = set("other another except without need needs needn't have has had");

/** Words that a sentence says with of all things of a kind. */
export const GENERAL_WORDS = set("a an all any each every no");
