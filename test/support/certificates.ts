/** Certificates of a test's own, made with `openssl` in its folder: an authority, and those that it signs. */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Paths of a certificate and of its key. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

const CURVE = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

function openssl(...parameters: string[]): void {
  execFileSync("openssl", parameters, { stdio: ["ignore", "ignore", "pipe"] });
}

export class Authority {
  readonly cert: string;
  readonly #key: string;
  #issued = 0;

  constructor(
    private readonly folder: string,
    private readonly name = "authority",
  ) {
    this.cert = join(folder, `${name}.pem`);
    this.#key = join(folder, `${name}.key`);
    openssl("req", "-x509", ...CURVE, "-keyout", this.#key, "-out", this.cert, "-subj", `/CN=${name}`);
  }

  /** What clients trust. */
  get pem(): string {
    return readFileSync(this.cert, "utf8");
  }

  /** For 127.0.0.1 and localhost; `days` below 0: it has ended. */
  issue(name: string, days = 2): CertificateFiles {
    const base = join(this.folder, `${this.name}-${name}-${this.#issued++}`);
    const [cert, key, request, names] = [`${base}.pem`, `${base}.key`, `${base}.csr`, `${base}.ext`];
    writeFileSync(names, "subjectAltName=DNS:localhost,IP:127.0.0.1\n");
    openssl("req", "-new", ...CURVE, "-keyout", key, "-out", request, "-subj", `/CN=${name}`);
    const signed = ["-CA", this.cert, "-CAkey", this.#key, "-CAcreateserial", "-extfile", names];
    openssl("x509", "-req", "-in", request, ...signed, "-days", `${days}`, "-out", cert);
    return { cert, key };
  }
}

/** Puts one certificate in the place of another, as whoever renews it does. */
export function renew(inForce: CertificateFiles, next: CertificateFiles): void {
  copyFileSync(next.key, inForce.key);
  copyFileSync(next.cert, inForce.cert);
}
