/** The page at `/operations`: its files, which hold no secret. What it shows it asks the approvals' door for, with a key. */
import { Router } from "express";
import type { Locales } from "../../locale/locales.js";
import { files, PAGE_DIR, SCRIPT_DIR, send, withHeaders } from "../kiosk/assets.js";

export function operationsPage(locales: Locales): Router {
  const strings = Object.fromEntries(
    locales.languages.map((tag) => [
      tag,
      { ...locales.of(tag).group("kiosk"), ...locales.of(tag).group("operations") },
    ]),
  );
  return Router()
    .use("/operations", withHeaders)
    .get("/operations", (_request, response) => send(response, PAGE_DIR, "operations.html"))
    .get("/operations/assets/strings.json", (_request, response) => void response.json(strings))
    .get("/operations/assets/:file", files(/^(?:style|operations)\.css$|^icon\.svg$/, PAGE_DIR))
    .get("/operations/assets/page/:file", files(/^(?:operations?|strings|dom)\.js$/, SCRIPT_DIR));
}
