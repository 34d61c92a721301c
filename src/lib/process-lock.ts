/**
 * A lock that one process of a machine holds: a Unix socket that it listens on. Unlike a file with a process id in it, it
 * is free as soon as the process is gone, however it went, and works between containers that share a folder.
 */
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createConnection, createServer, type Server } from "node:net";
import { relative } from "node:path";

/** What a socket's address has room for, in bytes, on every system. */
const ADDRESS_BYTES_MAX = 100;

export interface ProcessLock {
  /** Lets others have it. */
  release(): void;
}

/** Takes the lock at `path`. Rejects when another process, or another part of this one, holds it, or where none can be made. */
export async function takeProcessLock(path: string): Promise<ProcessLock> {
  const fromHere = relative(process.cwd(), path);
  const address = fromHere.length < path.length ? fromHere : path;
  if (Buffer.byteLength(address) > ADDRESS_BYTES_MAX)
    throw new Error(`${path} is too long for a lock: at most ${ADDRESS_BYTES_MAX} bytes`);
  const held = await listening(address);
  if (held !== undefined) return held;
  if (await isAnswered(address)) throw new Error(`${path} is held by another process`);
  // Whoever held it is gone.
  rmSync(address, { force: true });
  const taken = await listening(address);
  if (taken === undefined) throw new Error(`${path} is held by another process`);
  return taken;
}

/** Undefined: there is a socket already, of a process that lives or not. */
async function listening(address: string): Promise<ProcessLock | undefined> {
  const server: Server = createServer((socket) => socket.destroy());
  try {
    await once(server.listen(address), "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return undefined;
    throw error;
  }
  server.unref();
  return { release: () => server.close() };
}

async function isAnswered(address: string): Promise<boolean> {
  const socket = createConnection(address);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ECONNREFUSED" || code === "ENOENT") return false;
    throw error;
  } finally {
    socket.destroy();
  }
}
