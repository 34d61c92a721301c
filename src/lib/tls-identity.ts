/**
 * What a port needs to speak TLS: a certificate with its key, and the authorities of clients that have to show one. The
 * files may be replaced while the service runs; connections that stand go on as they began.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Server, TlsOptions } from "node:tls";
import { z } from "zod";
import type { CamelCased } from "./camel-case.js";
import type { Clock } from "./clock.js";
import type { WatchedGroup } from "./watched-files.js";

/** How long a client may take to shake hands. */
export const HANDSHAKE_MS_MAX = 10_000;

const path = z.string().min(1).optional();

/** The settings of one port. */
export const tlsSettings = z
  .strictObject({
    cert_file: path.describe(
      "PEM file with the port's certificate, then those that lead to its authority: the port speaks TLS (1.2 or later) " +
        "and nothing else. Read again when it changes, as are the next two.",
    ),
    key_file: path.describe("PEM file with the key of that certificate, without a passphrase."),
    client_ca_file: path.describe(
      "PEM file with authorities: clients without a certificate of one of them are not let in.",
    ),
  })
  .refine(
    ({ cert_file, client_ca_file, key_file }) =>
      [key_file, client_ca_file ?? key_file].every(
        (path) => (path === undefined) === (cert_file === undefined),
      ),
    { error: "expected cert_file and key_file together, and client_ca_file with them only" },
  )
  .prefault({});

export type TlsSettings = CamelCased<z.infer<typeof tlsSettings>>;

interface Material {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string | undefined;
  readonly minVersion: "TLSv1.2";
}

export class TlsIdentity implements WatchedGroup {
  /** Called when clients are known by other authorities than before. */
  onAuthorities: () => void = () => {};
  readonly paths: readonly string[];
  readonly #servers: Server[] = [];
  #material: Material;

  /** `name`: of the settings. Throws an error for the operator where the files cannot be used. */
  constructor(
    readonly name: string,
    private readonly settings: TlsSettings,
    private readonly clock: Clock,
  ) {
    this.paths = Object.values(settings).filter((path) => path !== undefined);
    this.#material = this.#read();
  }

  /** For a server of `node:tls` or `node:https`, which is to be handed to `serve`. */
  get options(): TlsOptions {
    const requestCert = this.#material.ca !== undefined;
    return { ...this.#material, requestCert, rejectUnauthorized: true, handshakeTimeout: HANDSHAKE_MS_MAX };
  }

  /** From now on `server` has the certificate that is in force. */
  serve(server: Server): void {
    this.#servers.push(server);
  }

  /** Throws where the files cannot be used; then nothing changes. */
  reload(): void {
    const [before, next] = [this.#material, this.#read()];
    // The keys for tickets are others, too: no session goes on that began under the certificates before.
    for (const server of this.#servers) server.setSecureContext(next);
    this.#material = next;
    if (before.ca !== next.ca) this.onAuthorities();
  }

  /** What is wrong with the certificate that is in force. */
  problem(): string | undefined {
    return this.#outOfTime(new X509Certificate(this.#material.cert));
  }

  #read(): Material {
    const { certFile, clientCaFile, keyFile } = this.settings;
    const refuse = (problem: string) => new Error(`${this.name} cannot be used: ${problem}.`);
    const parsed = <T>(path: string, what: string, parse: (pem: string) => T) => {
      const pem = readFileSync(path, "utf8");
      try {
        return { pem, value: parse(pem) };
      } catch (cause) {
        throw refuse(`${path} holds no ${what} in PEM (${(cause as NodeJS.ErrnoException).code})`);
      }
    };
    const cert = parsed(certFile!, "certificate", (pem) => new X509Certificate(pem));
    const key = parsed(keyFile!, "key", createPrivateKey);
    const ca = clientCaFile && parsed(clientCaFile, "certificate", (pem) => new X509Certificate(pem)).pem;
    const problem = this.#outOfTime(cert.value);
    if (problem !== undefined) throw refuse(problem);
    if (!cert.value.checkPrivateKey(key.value)) throw refuse(`${keyFile} is not the key of ${certFile}`);
    return { cert: cert.pem, key: key.pem, ca, minVersion: "TLSv1.2" };
  }

  #outOfTime({ validFrom, validTo }: X509Certificate): string | undefined {
    const nowMs = this.clock.now();
    if (nowMs >= Date.parse(validFrom) && nowMs <= Date.parse(validTo)) return undefined;
    return `the certificate in ${this.settings.certFile} holds from ${validFrom} to ${validTo}`;
  }
}
