/** Words of what can hurt somebody, and of what makes it safe first, in the six languages; by their beginnings. */
import { pattern } from "../lib/pattern.js";

/** Names a danger that a warning goes with. */
export const DANGER = pattern("iu")`
  (?<!\p{L})(?:high[ -]voltage|live (?:wire|part|cable|conductor)|energi[sz]ed|flammable|toxic|corrosive|caustic|explosive
  |acid(?!\p{L})|ammonia|chlorine|asbestos|molten|hochspannung|unter spannung|giftig|ätzend|brennbar|explosi
  |alta tensión|inflamable|tóxic|corrosiv|haute tension|sous tension|inflammable|toxique|corrosif|wysokie napięcie
  |pod napięciem|łatwopaln|toksyczn|żrąc|висок\p{L}{1,3} напруг|під напругою|легкозаймист|токсичн|їдк)
`;

/** Makes something safe before it is worked on. */
export const LOCK_OUT = pattern("iu")`
  (?<!\p{L})(?:isolat|lock(?:ed|ing)?[ -]?(?:and[ -]tag[ -]?)?out|tag(?:ged|ging)?[ -]?out|de-?energi[sz]|personal lock
  |freischalten|freigeschaltet|spannungsfrei|gegen wiedereinschalten|aísl|aislar|bloquear y etiquetar|consign
  |mettre hors tension|hors tension|odłącz|zablokuj i oznacz|знеструм|заблокуй)
`;

/** From here on a voltage hurts: the limit of extra-low voltage, 50 V AC (IEC 60364-4-41). */
export const DANGEROUS_VOLTS_MIN = 50;
/** From here on a touch burns: bare metal, one second (ISO 13732-1), rounded down. */
export const DANGEROUS_CELSIUS_MIN = 60;
