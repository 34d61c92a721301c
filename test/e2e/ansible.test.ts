/** The role on this machine: from nothing to answers, once more, to the next release, and back. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { FileLedger } from "../../src/operate/ledger/file-ledger.js";
import { ledgerFiles } from "../../src/operate/ledger/files.js";
import { ENTRIES } from "../support/ledger-entries.js";
import { patience } from "../support/patience.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { AnsibleSite } from "./ansible/site.js";
import { LOCKOUT } from "./documents.js";

const ANSIBLE = fileURLToPath(new URL("../../ansible", import.meta.url));
const PACKAGES = fileURLToPath(new URL("../../scripts/debian-packages.sh", import.meta.url));
const NOTED = "ALTER TABLE letters ADD COLUMN note TEXT NOT NULL DEFAULT 'none'";
const QUESTION = "What colour is the padlock?";

const GUIDE = `
readback_guide: 1
id: padlock
name: Fetch the padlock
flow_type: procedural
status: published
version: 1
steps:
  - {id: fetch, kind: instruct, title: Fetch, text: "Fetch the padlock."}
  - {id: lock, kind: instruct, title: Lock, text: "Lock the press."}
  - {id: z, kind: end, title: Done}
`;
const ANN = { username: "ann" };

let site: AnsibleSite;
let [image, next] = ["", ""];

beforeAll(async () => {
  execFileSync(PACKAGES, ["ansible-core", "ansible-lint", "yamllint"]);
  site = await AnsibleSite.in(mkdtempSync(join(tmpdir(), "readback-ansible-")));
  image = site.release("0.1.0");
  next = site.release("0.2.0", NOTED);
}, patience(180_000));
afterAll(() => {
  site.close();
  rmSync(site.folder, { recursive: true, force: true });
});

const play = (playbook: string, more: Record<string, unknown> = {}) =>
  site.play(playbook, { scratch: { ...site.variables(image), ...more } });

async function append(...entries: typeof ENTRIES): Promise<void> {
  const ledger = await FileLedger.open(ledgerFiles(site.at("data")), {
    clock: new VirtualClock(),
    telemetry: { emit: () => expect.unreachable() },
  });
  for (const entry of entries) await ledger.append(entry);
  await ledger.close();
}

/** The guides that people may be led through, and where the one run of them is. */
async function guided(): Promise<unknown> {
  const [{ guides }, { guide_runs: runs }] = await Promise.all([
    site.api("guides?username=ann"),
    site.api("guide_runs?username=ann"),
  ]);
  const summaries = guides as readonly { readonly id: string; readonly version: number }[];
  const open = runs as readonly { readonly at: string; readonly version: number }[];
  return [
    summaries.map(({ id, version }) => `${id} ${version}`),
    open.map(({ at, version }) => `${at} ${version}`),
  ];
}

function writeGuide(text: string): void {
  mkdirSync(site.at("data/guides/acme"), { recursive: true });
  writeFileSync(site.at("data/guides/acme/padlock.yaml"), text);
}

const verify = (version: string) => site.readback(version, "ledger", "verify");

describe("the role", { timeout: patience(240_000) }, () => {
  it("changes nothing where the site leaves out or misstates something, and says what to do", async () => {
    const bad: Record<string, [variables: Record<string, unknown>, said: RegExp]> = {
      keyless: [{ readback_http_api_keys: [] }, /readback_http_api_keys is not set\. Set it for the group/],
      unregistered: [{ readback_registry_password: "" }, /readback_registry_password is not set/],
      moving: [{ readback_image: "images.example.com/readback:latest" }, /readback:latest: name a release/],
      open: [{ readback_relay_address: "203.0.113.7" }, /203\.0\.113\.7, which is not private/],
      half: [{ readback_crowdin_project_id: "7" }, /Set both readback_crowdin_project_id and/],
      quoted: [{ readback_openai_api_key: "sk-it's" }, /OPENAI_API_KEY has a quote/],
    };
    const variables = site.variables(image);
    const hosts = Object.fromEntries(
      Object.entries(bad).map(([name, [its]]) => [name, { ...variables, ...its }]),
    );
    const { code, output } = await site.play("site.yml", hosts);
    expect(code).not.toBe(0);
    for (const [name, [, said]] of Object.entries(bad)) {
      expect(output).toMatch(said);
      expect(output).toMatch(new RegExp(`^${name} .*changed=0 .*failed=1`, "m"));
    }
    expect(output).not.toContain("it's");
    expect(existsSync(site.at("opt"))).toBe(false);
    expect(existsSync(site.at("docker/calls"))).toBe(false);
  });

  it("brings a service that answers to a host that has nothing, and prints no secret", async () => {
    const { code, output } = await play("site.yml");
    expect({ code, output }).toMatchObject({ code: 0 });
    const calls = readFileSync(site.at("docker/calls"), "utf8");
    for (const secret of ["sk-nobody-is-asked", "a-key-of-the-portal", "of-the-registry"])
      expect(output + calls).not.toContain(secret);
    expect(existsSync(site.at("docker/logged-in"))).toBe(false);
    const env = site.at("opt/readback.env");
    expect(statSync(env).mode & 0o777).toBe(0o640);
    expect(readFileSync(env, "utf8")).toContain(`READBACK_HTTP_API_KEYS='${pythonJson(site.keys)}'`);
    mkdirSync(site.at("documents"));
    writeFileSync(site.at("documents/lockout.md"), LOCKOUT);
    writeFileSync(site.at("documents/broken.pdf"), "no PDF");
    await site.readback("0.1.0", "ingest", site.at("documents"), "--network", "acme");
    await append(...ENTRIES);
    expect(await site.ask("0.1.0", QUESTION)).toMatchObject({
      code: 0,
      output: expect.stringContaining("red"),
    });
    expect(await verify("0.1.0")).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^9 rows, all there/),
    });
    writeGuide(GUIDE);
    // The service looks at its files every two seconds.
    await vi.waitFor(async () => expect(await guided()).toEqual([["padlock 1"], []]), {
      ...{ timeout: patience(20_000), interval: 500 },
    });
    await site.api("guide_runs", { ...ANN, guide: "padlock" });
    expect(await guided()).toEqual([["padlock 1"], ["fetch 1"]]);
  });

  it("changes nothing the second time", async () => {
    const { pid } = site;
    expect((await play("site.yml")).output).toMatch(/^scratch .*ok=\d+ +changed=0 .*failed=0/m);
    expect(site.pid).toBe(pid);
  });

  it("goes to the next release with everything in it, and keeps a copy of what was", async () => {
    const { pid } = site;
    const settings = {
      chat: { inactivity_ms_max: 300_000 },
      ...(site.variables(image).readback_settings as object),
    };
    expect(await play("site.yml", { readback_image: next, readback_settings: settings })).toMatchObject({
      code: 0,
    });
    expect(site.pid).not.toBe(pid);
    expect(readdirSync(site.at("backups"))).toEqual([expect.stringMatching(/^before-0\.2\.0-.*\.tar\.gz$/)]);
    expect(await site.ask("0.2.0", QUESTION)).toMatchObject({
      code: 0,
      output: expect.stringContaining("red"),
    });
    expect((await verify("0.2.0")).output).toMatch(/^9 rows, all there/);
    expect((await site.readback("0.2.0", "dead-letters", "list")).output).toContain("broken.pdf");
    expect(await site.readback("0.1.0", "dead-letters", "list")).toMatchObject({
      code: 1,
      output: expect.stringContaining("a later release wrote it, in layout 2"),
    });
    expect(await guided()).toEqual([["padlock 1"], ["fetch 1"]]);
    const { guide_runs: runs } = await site.api("guide_runs?username=ann");
    const [{ id }] = runs as [{ readonly id: string }];
    await site.api(`guide_runs/${id}/events`, { ...ANN, event: { type: "next" } });
    writeGuide(GUIDE.replace("version: 1", "version: 2"));
    expect(await guided()).toMatchObject([expect.anything(), ["lock 1"]]);
    await append({ operation: "op-2", network: "plant", type: "ended" });
  });

  it("goes back, with everything as it was before", async () => {
    const [backup] = readdirSync(site.at("backups"));
    expect(await play("rollback.yml", { readback_restore: backup })).toMatchObject({ code: 0 });
    expect(await site.ask("0.1.0", QUESTION)).toMatchObject({
      code: 0,
      output: expect.stringContaining("red"),
    });
    expect((await verify("0.1.0")).output).toMatch(/^9 rows, all there/);
    expect(await guided()).toEqual([["padlock 1"], ["fetch 1"]]);
    expect((await site.readback("0.1.0", "dead-letters", "list")).output).toContain("broken.pdf");
    const [aside] = readdirSync(site.at("data")).filter((name) => name.startsWith(".before-"));
    expect(
      readFileSync(site.at(`data/${aside}/ledger/rows.jsonl`), "utf8")
        .trimEnd()
        .split("\n"),
    ).toHaveLength(10);
  });
});

it("would write what a guard takes, and show no token", { timeout: patience(120_000) }, async () => {
  const guarded = {
    ...site.variables(image),
    ...{ readback_directory: site.at("guarded"), readback_documents_directory: "/srv/documents" },
    ...{ readback_guard_enabled: true, readback_guard_token: "of-the-guard", readback_guard_threshold: 0.9 },
  };
  const options = ["--check", "--diff", "--tags", "readback_files"];
  const { code, output } = await site.play("site.yml", { scratch: guarded }, ...options);
  expect({ code, output }).toMatchObject({ code: 0 });
  for (const line of [
    "image: laiyer/llm-guard-api:0.3.16",
    "restart: unless-stopped",
    "threshold: 0.9",
    '"url": "http://guard:8000"',
    "- /srv/documents:/documents:ro",
  ])
    expect(output).toContain(line);
  expect(output).not.toContain("of-the-guard");
  expect(existsSync(site.at("guarded"))).toBe(false);
});

describe("the files of Ansible", () => {
  it.each([
    ["ansible-lint", ["--offline", "--strict", "site.yml", "rollback.yml", "roles/readback"]],
    ["yamllint", ["--strict", "."]],
  ])("are to %s's liking", { timeout: patience(120_000) }, (program, args) => {
    const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: ANSIBLE, encoding: "utf8" });
    expect(error).toBeUndefined();
    expect({ status, said: stdout + stderr }).toMatchObject({ status: 0 });
  });
});

/** With a blank behind commas and colons. */
function pythonJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/([,:])/g, "$1 ");
}
