/** The key that signs a ledger: Ed25519, in a file of its own. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { readFile } from "node:fs/promises";
import { writePrivateFile } from "../../lib/private-files.js";
import { LedgerUnusable } from "./port.js";

/** Reads a private key (PEM, PKCS8). Rejects with `LedgerUnusable`. */
export async function readPrivateKey(path: string): Promise<KeyObject> {
  return readKey(path, createPrivateKey);
}

/** Reads the public key of a PEM file, which may hold the private one. Rejects with `LedgerUnusable`. */
export async function readPublicKey(path: string): Promise<KeyObject> {
  return readKey(path, createPublicKey);
}

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

export function isSignedBy(key: KeyObject, text: string, signature: string): boolean {
  return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));
}
