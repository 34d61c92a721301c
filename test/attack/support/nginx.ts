/** A real nginx in the foreground with a configuration of the test's own, on this machine alone. Ends with the test. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFailed, onTestFinished } from "vitest";
import { temporaryDirectory } from "../../e2e/world.js";

/** Debian puts it where only root's search path looks. */
const NGINX = "/usr/sbin/nginx";

/** Whether its workers run as another user than this process, as Debian's do: only root can have that. */
export const WORKS_AS_ANOTHER = process.getuid?.() === 0;

const LOOK_INTERVAL_MS = 20;
const LOOKS_MAX = 500;

/** `http`: what stands within the block of that name. Resolves once something listens at `port`. */
export async function startNginx(http: string, port: number): Promise<void> {
  const directory = temporaryDirectory();
  // The workers put large bodies there.
  chmodSync(directory, 0o777);
  const file = join(directory, "nginx.conf");
  writeFileSync(file, configuration(directory, http));
  const nginx = spawn(NGINX, ["-c", file, "-e", "stderr", "-g", "daemon off;"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaints = "";
  nginx.stderr.on("data", (bytes: Buffer) => {
    complaints += bytes.toString("utf8");
  });
  const ended = once(nginx, "exit");
  onTestFailed(() => console.error(`nginx said:\n${complaints}`));
  onTestFinished(async () => {
    nginx.kill("SIGTERM");
    await ended;
  });
  for (let look = 0; !(await listensAt(port)); look++) {
    if (look > LOOKS_MAX || nginx.exitCode !== null) throw new Error(`nginx does not start: ${complaints}`);
    await delay(LOOK_INTERVAL_MS);
  }
}

function configuration(directory: string, http: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return [
    WORKS_AS_ANOTHER ? "user www-data;" : "",
    `pid ${join(directory, "pid")};`,
    "events {}",
    "http {",
    "access_log off;",
    ...temporary.map((name) => `${name}_temp_path ${join(directory, name)};`),
    http,
    "}",
  ].join("\n");
}

async function listensAt(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A port of 127.0.0.1 that nothing listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
