/** The children of a process, as Linux shows them. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const LOOK_MS = 50;
const LOOKS_MAX = 400;

/** Processes whose parent is `pid` and whose command line holds `module`. */
export function childrenOf(pid: number, module: string): number[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return all.filter((name) => parentOf(name) === pid && commandOf(name).includes(module)).map(Number);
}

/** Resolves when none of these processes is there any more; rejects when they stay. */
export async function gone(pids: readonly number[]): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    if (pids.every((pid) => commandOf(String(pid)) === "")) return;
    await wait(LOOK_MS);
  }
  throw new Error(`processes ${pids.join(", ")} are still there`);
}

function parentOf(name: string): number {
  return Number(/^PPid:\s*(\d+)$/m.exec(read(`/proc/${name}/status`))?.[1]);
}

/** Empty for one that is gone, or that has ended and waits for its parent to look. */
function commandOf(name: string): string {
  return read(`/proc/${name}/cmdline`);
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // It is gone.
  }
}
