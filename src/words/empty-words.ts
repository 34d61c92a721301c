/** Words by what they claim. Data only. */
import { wordSet } from "../lib/word-set.js";

/** Content words that claim nothing by themselves where their neighbours are borne out: light verbs, frames, courtesy. */
export const EMPTY_WORDS = wordSet(
  `locate located lie lies situated happen happens call called term termed consider considered regard regarded know
  common commonly form forms addition additional due fact real hand word words eventually recent recently respectively
  determine determines carry carries serve serves refer refers relate relates related involve involves base based
  consist consists represent represents appear appears feature features provide provides result results cause causes
  describe describes present presents exist exists occur occurs find found see seen believe believed plan planned
  good fine correct right absolutely certainly indeed exactly alright great
  pass passed passes elapse elapsed spend spends spent listed
  tell told help helps try tries able follow mean means name named hour day days time times once thus therefore`,
);

/** Light words that say something all the same: order, number, haste, extent. */
export const TELLING_LIGHT_WORDS = wordSet(
  `first second third last lastly next finally always ever away back forward whole full new else younger older maximum
  minimum max min limit limits anybody anyone everybody everyone immediately exactly several reason
  everything anything`,
);
