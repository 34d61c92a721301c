/** Where a ledger lies: rows, the head that tells of the newest, the key that signs both, and the lock of who appends. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { canonicalJson } from "../../lib/canonical-json.js";
import { writePrivateFile } from "../../lib/private-files.js";
import { LedgerUnusable, type RowMark } from "./port.js";

export type LedgerFiles = ReturnType<typeof ledgerFiles>;

/** Those of the data folder. `keyFile`: of the settings; absent: the key lies beside the rows (`isOwnKey`), made where there is none. */
export function ledgerFiles(dataDir: string, keyFile?: string) {
  const folder = join(dataDir, "ledger");
  const at = (name: string) => join(folder, name);
  const [rows, head, lock] = [at("rows.jsonl"), at("head.json"), at("lock")];
  return { folder, rows, head, lock, key: keyFile ?? at("key.pem"), isOwnKey: keyFile === undefined };
}

/** Writes the head in place of the one before it, so that either is whole. It is on disk after the rows that it tells of. */
export async function writeHead(path: string, { hash, seq }: RowMark, key: KeyObject): Promise<void> {
  const signature = signatureOf(signed({ hash, seq }), key);
  const head = `${canonicalJson({ hash, seq, signature })}\n`;
  await writeFile(`${path}.new`, head, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** The newest row as the head tells; `forged`: it is not one that this key signed. Undefined: there is no head. */
export async function readHead(path: string, key: KeyObject): Promise<RowMark | "forged" | undefined> {
  try {
    const { hash, seq, signature } = JSON.parse(await readFile(path, "utf8"));
    return isSignedBy(key, signed({ hash, seq }), signature) ? { hash, seq } : "forged";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if (error instanceof SyntaxError || error instanceof TypeError) return "forged";
    throw error;
  }
}

/** No row is signed like that. */
function signed({ hash, seq }: RowMark): string {
  return `head ${seq} ${hash}`;
}

/** Reads a private key (PEM, PKCS8). Rejects with `LedgerUnusable`. */
export const readPrivateKey = (path: string): Promise<KeyObject> => readKey(path, createPrivateKey);

/** Reads the public key of a PEM file, which may hold the private one. Rejects with `LedgerUnusable`. */
export const readPublicKey = (path: string): Promise<KeyObject> => readKey(path, createPublicKey);

async function readKey(path: string, parse: (pem: string) => KeyObject): Promise<KeyObject> {
  try {
    const key = parse(await readFile(path, "utf8"));
    if (key.asymmetricKeyType !== "ed25519") throw new Error(`it is of type ${key.asymmetricKeyType}`);
    return key;
  } catch (error) {
    throw new LedgerUnusable(
      `${path} cannot be used as an Ed25519 key in PEM form: ${(error as Error).message}. Restore the key that the ` +
        "ledger was begun with, or move the ledger's files away to begin a new one.",
      { cause: error },
    );
  }
}

/** Makes a new key that this user alone may read. */
export async function makeKey(path: string): Promise<KeyObject> {
  const { privateKey } = generateKeyPairSync("ed25519");
  await writePrivateFile(path, privateKey.export({ type: "pkcs8", format: "pem" }));
  return privateKey;
}

/** Base64. `text` is signed as UTF-8. */
export function signatureOf(text: string, key: KeyObject): string {
  return sign(null, Buffer.from(text), key).toString("base64");
}

/** A signature that `signatureOf` would have written otherwise is none. */
export function isSignedBy(key: KeyObject, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, "base64");
  return bytes.toString("base64") === signature && verify(null, Buffer.from(text), key, bytes);
}
