/** A host for the role: this machine, a folder for all that it writes, and processes in place of containers. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../../attack/support/nginx.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const ANSIBLE = join(ROOT, "ansible");
const DOCKER = fileURLToPath(new URL("./docker.js", import.meta.url));
const run = promisify(execFile);

/** What a release needs of the repository besides its compiled source. */
const PARTS = "audio deploy kiosk locales models node_modules prompts proto protocol".split(" ");

const PASSWORD = "of-the-registry";

export interface Ran {
  readonly code: number;
  /** Of both streams. */
  readonly output: string;
}

export class AnsibleSite {
  readonly keys = [{ key: "a-key-of-the-portal", name: "portal", networks: ["acme"] }];
  #ports: readonly number[] = [];

  private constructor(readonly folder: string) {}

  static async in(folder: string): Promise<AnsibleSite> {
    const site = new AnsibleSite(folder);
    site.#ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    for (const name of ["bin", "docker", "releases"]) mkdirSync(site.at(name));
    symlinkSync(DOCKER, site.at("bin/docker"));
    writeFileSync(site.at("docker/password"), PASSWORD);
    return site;
  }

  at(path: string): string {
    return join(this.folder, path);
  }

  /** An image in the registry: what is built here, with one more step of its layout of dead letters where it is told. */
  release(version: string, step?: string): string {
    const folder = this.at(`releases/${version}`);
    mkdirSync(join(folder, "src"), { recursive: true });
    cpSync(join(ROOT, "dist/src"), join(folder, "dist/src"), { recursive: true });
    for (const part of PARTS) symlinkSync(join(ROOT, part), join(folder, part));
    symlinkSync(join(ROOT, "src/sites"), join(folder, "src/sites"));
    cpSync(join(ROOT, "bin"), join(folder, "bin"), { recursive: true });
    const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, version }));
    if (step !== undefined) {
      const file = join(folder, "dist/src/store/embedded-dead-letters.js");
      const text = readFileSync(file, "utf8");
      const changed = text.replace("[FIRST_LAYOUT]", `[FIRST_LAYOUT, ${JSON.stringify(step)}]`);
      if (changed === text) throw new Error(`${file} has not what was to be changed`);
      writeFileSync(file, changed);
    }
    const image = `images.example.com/readback:${version}`;
    const images = this.at("docker/images.json");
    const known = existsSync(images) ? JSON.parse(readFileSync(images, "utf8")) : {};
    writeFileSync(images, JSON.stringify({ ...known, [image]: folder }));
    return image;
  }

  /** What the inventory says of this host, where a test says nothing else. */
  variables(image: string): Record<string, unknown> {
    const [relay, http, metrics, grpc] = this.#ports;
    const { uid, gid } = { uid: process.getuid!(), gid: process.getgid!() };
    return {
      ...{
        ansible_connection: "local",
        ansible_become: false,
        ansible_python_interpreter: "/usr/bin/python3",
      },
      ...{ readback_owner: String(uid), readback_group: String(gid) },
      ...{ readback_uid: String(uid), readback_gid: String(gid) },
      readback_image: image,
      ...{ readback_registry: "plain", readback_registry_user: "ci", readback_registry_password: PASSWORD },
      readback_directory: this.at("opt"),
      readback_data_directory: this.at("data"),
      readback_backup_directory: this.at("backups"),
      readback_relay_address: "127.0.0.1",
      ...{ readback_relay_port: relay, readback_http_port: http },
      ...{ readback_metrics_port: metrics, readback_grpc_port: grpc },
      readback_openai_api_key: "sk-nobody-is-asked",
      readback_http_api_keys: this.keys,
      readback_settings: OFFLINE,
    };
  }

  /** Runs a playbook on hosts with these variables. */
  play(
    playbook: string,
    hosts: Readonly<Record<string, Record<string, unknown>>>,
    ...options: readonly string[]
  ): Promise<Ran> {
    const inventory = this.at("inventory.json");
    writeFileSync(inventory, JSON.stringify({ readback: { hosts } }));
    const { HOME = "", PATH = "" } = process.env;
    const env = {
      ...{ HOME, PATH: `${this.at("bin")}:${PATH}`, LC_ALL: "C.UTF-8" },
      ...{
        ANSIBLE_CONFIG: join(ANSIBLE, "ansible.cfg"),
        ANSIBLE_NOCOLOR: "1",
        ANSIBLE_LOCAL_TEMP: this.at("tmp"),
      },
      ...{ ANSIBLE_REMOTE_TEMP: this.at("tmp"), READBACK_TEST_DOCKER: this.at("docker") },
    };
    return ended(
      run("ansible-playbook", ["--inventory", inventory, join(ANSIBLE, playbook), ...options], { env }),
    );
  }

  /** `readback <args>` of a release, on the data of the site. */
  readback(version: string, ...args: readonly string[]): Promise<Ran> {
    const env = { PATH: process.env.PATH, READBACK_DATA_DIR: this.at("data") };
    return ended(run(process.execPath, [this.at(`releases/${version}/bin/readback.js`), ...args], { env }));
  }

  /** With the command of a release. */
  ask(version: string, question: string): Promise<Ran> {
    return this.readback(
      version,
      "ask",
      question,
      "--network",
      "acme",
      "--relay",
      `127.0.0.1:${this.#ports[0]}`,
    );
  }

  /** What the service's API replies to the portal, for a user of it. */
  async api(path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
    const response = await fetch(`http://127.0.0.1:${this.#ports[1]}/api/v1/${path}`, {
      headers: { "x-api-key": this.keys[0]!.key, "content-type": "application/json" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    return (await response.json()) as Readonly<Record<string, unknown>>;
  }

  /** Of the process that stands for the container. */
  get pid(): number {
    return this.docker<{ pid: number }>("container.json").pid;
  }

  docker<T>(name: string): T {
    return JSON.parse(readFileSync(this.at(`docker/${name}`), "utf8")) as T;
  }

  close(): void {
    if (existsSync(this.at("docker/container.json"))) process.kill(this.pid, "SIGKILL");
  }
}

const OFFLINE = {
  llm: { provider: "offline" },
  speech: { provider: "offline" },
  transcription: { provider: "none" },
};

function ended(running: Promise<{ stdout: string; stderr: string }>): Promise<Ran> {
  type Failure = { readonly code: number; readonly stdout: string; readonly stderr: string };
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }: Failure) => ({ code, output: stdout + stderr }),
  );
}
