/**
 * The files of the kiosk's page: its own (`kiosk/`), the Ogg writer that it shares with the service, the decoder for
 * browsers that cannot play Opus by themselves, the on-screen keyboard, the typeface, and the logos of the settings.
 * They hold no secret and need no token; nothing else is served.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type RequestHandler, type Response, Router } from "express";
import { shippedPath } from "../../lib/shipped-files.js";
import { type Logo, logoRoutes } from "./logo.js";

const KIOSK_DIR = shippedPath("kiosk/");
/** Pages and their styles; scripts. */
export const PAGE_DIR = join(KIOSK_DIR, "page");
export const SCRIPT_DIR = join(KIOSK_DIR, "dist");

const require = createRequire(import.meta.url);
const AUDIO_DIR = dirname(require.resolve("@readback/audio"));
const DECODER_DIR = join(dirname(require.resolve("ogg-opus-decoder")), "dist");
const FONT_DIR = dirname(require.resolve("@fontsource-variable/inter/package.json"));
const KEYBOARD_DIR = dirname(require.resolve("simple-keyboard"));

/** Nothing from elsewhere, nothing inline; `wasm-unsafe-eval` lets the decoder compile its WebAssembly. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "permissions-policy": "microphone=(self), camera=(), geolocation=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // Asked for again each time, and sent only when it has changed.
  "cache-control": "no-cache",
};

/** `strings`: the page's words, by language. */
export function kioskAssets(strings: object, logos: readonly Logo[]): Router {
  return Router()
    .use("/kiosk", withHeaders)
    .get("/kiosk", (_request, response) => send(response, PAGE_DIR, "index.html"))
    .get("/kiosk/assets/strings.json", (_request, response) => void response.json(strings))
    .get("/kiosk/assets/:file", files(/^[\w-]+\.(?:css|svg)$/, PAGE_DIR))
    .get("/kiosk/assets/page/:file", files(/^[\w-]+\.js$/, SCRIPT_DIR))
    .get("/kiosk/assets/audio/:file", files(/^[\w-]+\.js$/, AUDIO_DIR))
    .get("/kiosk/assets/decoder/:file", files(/^ogg-opus-decoder\.min\.js$/, DECODER_DIR))
    .get("/kiosk/assets/keyboard/:file", files(/^index\.modern\.esm\.js$/, KEYBOARD_DIR))
    .get("/kiosk/assets/inter/:file", files(/^index\.css$/, FONT_DIR))
    .get("/kiosk/assets/inter/files/:file", files(/^inter-[\w-]+\.woff2$/, join(FONT_DIR, "files")))
    .use(logoRoutes(logos));
}

/** Strict: nothing but what the pages are made of. */
export const withHeaders: RequestHandler = (_request, response, next) => {
  response.set(HEADERS);
  next();
};

/** Files of a folder whose names are as `allowed` says; there is nothing else. */
export function files(allowed: RegExp, folder: string): RequestHandler {
  return (request, response, next) => {
    const { file } = request.params;
    if (typeof file === "string" && allowed.test(file)) send(response, folder, file, next);
    else next();
  };
}

/** Sends a file of `root`; `otherwise` where there is none. */
export function send(response: Response, root: string, file: string, otherwise?: () => void): void {
  response.sendFile(file, { root, cacheControl: false }, (error?: Error & { readonly code?: string }) => {
    if (error === undefined || response.headersSent) return;
    // Who went away before the end needs nothing more.
    if (error.code === "ENOENT" && otherwise !== undefined) otherwise();
    else if (!response.destroyed) response.status(500).end();
  });
}
