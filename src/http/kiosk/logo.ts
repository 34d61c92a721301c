/** The logo of a kiosk: a picture on this machine, read once at the start and served from memory. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { extname } from "node:path";
import { type RequestHandler, Router } from "express";

export interface Logo {
  /** Where the page finds it; another picture has another address. */
  readonly address: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const LOGO_BYTES_MAX = 512 * 1_024;

interface Kind {
  readonly type: string;
  /** Whether the bytes are such a picture, as far as their beginning tells. */
  fits(bytes: Buffer): boolean;
}

const svg: Kind = { type: "image/svg+xml", fits: (bytes) => bytes.includes("<svg") };
const png: Kind = { type: "image/png", fits: (bytes) => bytes.indexOf("\x89PNG\r\n", 0, "latin1") === 0 };
const jpeg: Kind = { type: "image/jpeg", fits: (bytes) => bytes.indexOf("\xff\xd8\xff", 0, "latin1") === 0 };
const webp: Kind = { type: "image/webp", fits: (bytes) => bytes.toString("latin1", 8, 12) === "WEBP" };

const KINDS: ReadonlyMap<string, Kind> = new Map([
  [".svg", svg],
  [".png", png],
  [".jpg", jpeg],
  [".jpeg", jpeg],
  [".webp", webp],
]);

/** Throws, with a message for who wrote the settings, where there is no picture that can be shown. */
export function readLogo(path: string): Logo {
  const ending = extname(path).toLowerCase();
  const kind = KINDS.get(ending);
  if (kind === undefined) throw new Error(`the logo ${path} is none of ${[...KINDS.keys()].join(", ")}`);
  const bytes = bytesOf(path);
  if (!kind.fits(bytes)) throw new Error(`the logo ${path} is no ${kind.type}, whatever its name says`);
  const name = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return { address: `${LOGOS}/${name}${ending}`, type: kind.type, bytes };
}

function bytesOf(path: string): Buffer {
  try {
    const { size } = statSync(path);
    if (size > LOGO_BYTES_MAX) throw new Error(`it has ${size} bytes, and may have ${LOGO_BYTES_MAX}`);
    return readFileSync(path);
  } catch (error) {
    throw new Error(`the logo ${path} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

const LOGOS = "/kiosk/assets/logos";

/** An SVG that is opened by itself is a document: it may load nothing, and runs no script. */
const LOGO_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Serves these logos and nothing else. */
export function logoRoutes(logos: readonly Logo[]): Router {
  const byAddress = new Map(logos.map((logo) => [logo.address, logo]));
  const send: RequestHandler = ({ path }, response, next) => {
    const logo = byAddress.get(path);
    if (logo === undefined) next();
    else response.set("content-security-policy", LOGO_POLICY).type(logo.type).send(logo.bytes);
  };
  return Router().get(`${LOGOS}/:file`, send);
}
