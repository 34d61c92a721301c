/** Words that are spelt in two ways, `British American`. */

export const SPELLINGS: readonly string[] = [
  "colour color",
  "tyre tire",
  "metre meter",
  "litre liter",
  "grey gray",
  "centre center",
  "aluminium aluminum",
  "fibreglass fiberglass",
  "organise organize",
  "labour labor",
  "programme program",
  "licence license",
  "behaviour behavior",
  "neighbour neighbor",
  "theatre theater",
  "defence defense",
];
