/** The fixed texts that come with the service. */
import { loadLocales } from "../../src/locale/load.js";

export const locales = await loadLocales();

export const english = locales.of("en");
