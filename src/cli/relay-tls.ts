/** How a command that plays a relay speaks TLS: its options, and what they come to. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext, type SecureContext } from "node:tls";
import type { Command } from "commander";
import { UsageProblem } from "../lib/usage-problem.js";

export interface TlsFlags {
  readonly tls?: true;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export function withTlsOptions(command: Command): Command {
  return command
    .option("--tls", "speak TLS with the service")
    .option("--ca <file.pem>", "the same, and trust these authorities in place of the machine's")
    .option("--cert <file.pem>", "the same, and show this certificate; needs --key")
    .option("--key <file.pem>", "the key of that certificate, without a passphrase");
}

/** Undefined where no option asks for TLS. Throws `UsageProblem` where a file cannot be used. */
export function tlsOf({ ca, cert, key, tls }: TlsFlags): SecureContext | undefined {
  if ((cert === undefined) !== (key === undefined))
    throw new UsageProblem("--cert and --key belong together: the certificate, and its key.");
  if (tls === undefined && ca === undefined && cert === undefined) return undefined;
  const files = { ca: contentOf("--ca", ca), cert: contentOf("--cert", cert), key: contentOf("--key", key) };
  try {
    // An authority that is none is passed over without a word.
    if (files.ca !== undefined) new X509Certificate(files.ca);
    return createSecureContext({ ...files, minVersion: "TLSv1.2" });
  } catch (error) {
    const named = [ca, cert, key].filter((path) => path !== undefined).join(", ");
    throw new UsageProblem(
      `${named} cannot be used for TLS: ${(error as Error).message}. Expected PEM files.`,
    );
  }
}

function contentOf(option: string, path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageProblem(`${option} names ${path}, which cannot be read: ${(error as Error).message}`);
  }
}
