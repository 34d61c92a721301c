/**
 * The page at `/editor`: its files, which hold no secret. What it shows it asks the doors of guides and of their sessions
 * for, with a key. It has the headers of the kiosk's page, and shares its words and its way to choose a language.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Router } from "express";
import { shippedPath } from "../../lib/shipped-files.js";
import type { Locales } from "../../locale/locales.js";
import { files, PAGE_DIR, SCRIPT_DIR, send, withHeaders } from "../kiosk/assets.js";

const EDITOR_DIR = shippedPath("editor/");
const EDITOR_PAGE_DIR = join(EDITOR_DIR, "page");
const DAGRE_DIR = dirname(createRequire(import.meta.url).resolve("@dagrejs/dagre"));

export function editorPage(locales: Locales): Router {
  const strings = Object.fromEntries(
    locales.languages.map((tag) => {
      const locale = locales.of(tag);
      return [tag, { ...locale.group("kiosk"), ...locale.group("operations"), ...locale.group("editor") }];
    }),
  );
  return Router()
    .use("/editor", withHeaders)
    .get("/editor", (_request, response) => send(response, EDITOR_PAGE_DIR, "index.html"))
    .get("/editor/assets/strings.json", (_request, response) => void response.json(strings))
    .get("/editor/assets/:file", files(/^editor\.css$/, EDITOR_PAGE_DIR))
    .get("/editor/assets/:file", files(/^icon\.svg$/, PAGE_DIR))
    .get("/editor/assets/page/:file", files(/^[\w-]+\.js$/, join(EDITOR_DIR, "dist")))
    .get("/editor/assets/kiosk/:file", files(/^(?:dom|server-sent-events|strings)\.js$/, SCRIPT_DIR))
    .get("/editor/assets/dagre/:file", files(/^dagre\.esm\.js$/, DAGRE_DIR));
}
