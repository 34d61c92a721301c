#!/usr/bin/env node
// What the role asks of `docker`, with processes in place of containers: an image is a folder with a built release, a
// container runs its command with the paths, ports and variables of docker-compose.yml brought to where they lie here.
// READBACK_TEST_DOCKER names a folder: `images.json` (image → folder, or null: nobody has it), `password` (of the
// registry), and what this keeps: `calls`, `pulled`, `container.json`, `log`. What the role has no reason to ask fails.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parse } from "yaml";

const HEALTHY_MS_MAX = 60_000;
const LOOK_MS = 50;
/** Where the service listens inside of its container. */
const DOORS = { 8086: "RELAY", 8087: "HTTP", 9092: "METRICS", 50051: "GRPC" };

const folder = process.env.READBACK_TEST_DOCKER;
const at = (name) => join(folder, name);
const read = (name, otherwise) =>
  existsSync(at(name)) ? JSON.parse(readFileSync(at(name), "utf8")) : otherwise;
const fail = (why) => {
  console.error(`docker: ${why}`);
  process.exit(1);
};

const args = process.argv.slice(2);
appendFileSync(at("calls"), `${args.join(" ")}\n`);
const [command, ...rest] = args;
if (command === "compose") await compose(rest);
else if (command === "run") run(rest);
else if (command === "image") inspect(rest);
else if (command === "login") logIn(rest);
else if (command === "logout") rmSync(at("logged-in"));
else if (command === "pull") pull(rest);
else fail(`nobody asked for ${args.join(" ")}`);

function inspect([, , , image]) {
  if (!read("pulled", []).includes(image)) fail(`no such image: ${image}`);
}

function logIn(options) {
  const known = readFileSync(at("password"), "utf8");
  if (!options.includes("--password-stdin") || readFileSync(0, "utf8") !== known) fail("unauthorized");
  writeFileSync(at("logged-in"), options.at(-1));
}

function pull([, image]) {
  if (!existsSync(at("logged-in"))) fail("pull access denied");
  if (read("images.json")[image] === undefined) fail(`${image} is not in the registry`);
  writeFileSync(at("pulled"), JSON.stringify([...read("pulled", []), image]));
}

async function compose([, file, verb, ...options]) {
  const { services } = parse(readFileSync(file, "utf8"));
  const { readback } = services;
  if (verb === "up") await up(file, readback, options.includes("--force-recreate"));
  else if (verb === "stop") await stop();
  else fail(`nobody asked for compose ${verb}`);
}

async function up(file, service, isForced) {
  const environment = environmentOf(file, service);
  const hash = createHash("sha256")
    .update(JSON.stringify([service, environment]))
    .digest("hex");
  const running = container();
  if (running?.hash === hash && !isForced) return console.error(" Container readback-readback-1  Running");
  await stop();
  const log = openSync(at("log"), "a");
  const child = spawn(process.execPath, [program(service), "serve"], {
    env: environment,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  writeFileSync(at("container.json"), JSON.stringify({ pid: child.pid, hash }));
  await healthy(child, environment);
  console.error(" Container readback-readback-1  Started");
}

async function healthy(child, { READBACK_METRICS_HOST: host, READBACK_METRICS_PORT: port }) {
  for (let left = HEALTHY_MS_MAX / LOOK_MS; left > 0; left--) {
    if (child.exitCode !== null) fail(`the container ended with code ${child.exitCode}`);
    if (await answers(`http://${host}:${port}/healthz`)) return;
    await pause(LOOK_MS);
  }
  fail("the container is not healthy");
}

async function answers(url) {
  try {
    return (await fetch(url)).ok;
  } catch (error) {
    if (error.cause?.code === "ECONNREFUSED") return false;
    throw error;
  }
}

async function stop() {
  const { pid } = container() ?? {};
  if (pid === undefined) return;
  process.kill(pid, "SIGTERM");
  for (let left = HEALTHY_MS_MAX / LOOK_MS; left > 0 && lives(pid); left--) await pause(LOOK_MS);
  rmSync(at("container.json"));
}

/** Without a network and without variables. */
function run(options) {
  const known = ["--rm", "--network=none", "--read-only", "--tmpfs=/tmp"];
  const image = options.findIndex((option) => !option.startsWith("--"));
  const rest = options.slice(0, image).filter((option) => !known.includes(option));
  const service = { image: options[image], volumes: rest.map((option) => /^--volume=(.+)$/.exec(option)[1]) };
  const paths = options.slice(image + 1).map((parameter) => outside(service, parameter));
  const env = { PATH: process.env.PATH, READBACK_DATA_DIR: outside(service, "/data") };
  const { status } = spawnSync(process.execPath, [program(service), ...paths], { env, stdio: "inherit" });
  process.exitCode = status ?? 1;
}

function program({ image }) {
  if (!read("pulled", []).includes(image)) fail(`no such image: ${image}`);
  return join(read("images.json")[image], "bin", "readback.js");
}

/** The container that runs, if one does. */
function container() {
  const known = read("container.json");
  return known !== undefined && lives(known.pid) ? known : undefined;
}

/** Nobody may have waited for it yet. */
function lives(pid) {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ESRCH") return false;
    throw error;
  }
}

/** The path on this machine of one in the container. */
function outside({ volumes }, path) {
  for (const volume of volumes) {
    const [here, there] = volume.split(":");
    if (path === there || path.startsWith(`${there}/`)) return here + path.slice(there.length);
  }
  return path;
}

function environmentOf(file, service) {
  const lines = readFileSync(join(dirname(file), service.env_file), "utf8").split("\n");
  const entries = lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(
      (line) => /^(\w+)='([^']*)'$/.exec(line)?.slice(1) ?? fail(`${service.env_file} has a line ${line}`),
    );
  const doors = service.ports.flatMap((port) => {
    const [host, outer, inner] = port.split(":");
    return [
      [`READBACK_${DOORS[inner]}_HOST`, host],
      [`READBACK_${DOORS[inner]}_PORT`, outer],
    ];
  });
  const own = Object.entries(service.environment).map(([name, value]) => [name, outside(service, value)]);
  const image = { PATH: process.env.PATH, READBACK_DATA_DIR: outside(service, "/data") };
  return { ...image, ...Object.fromEntries([...entries, ...own, ...doors]) };
}
