/** The fixed texts that come with the service. */
import { loadLocales } from "../../src/locale/load.js";
import { readReplies } from "../../src/routing/take.js";

export const locales = await loadLocales();
readReplies(locales.all);

export const english = locales.of("en");
