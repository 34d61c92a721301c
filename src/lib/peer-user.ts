/**
 * Whose process is at the other end of a connection within this machine. Linux lists every TCP socket with the user
 * that it belongs to, in `/proc/net/tcp` and, for sockets of IPv6 (which may speak IPv4), `/proc/net/tcp6`:
 * https://docs.kernel.org/networking/proc_net_tcp.html
 */
import { readFile } from "node:fs/promises";

/** Of a connection as `node:net` has it: the port of the other end, and ours. */
export interface PortPair {
  readonly remotePort?: number | undefined;
  readonly localPort?: number | undefined;
}

const LISTS = ["/proc/net/tcp", "/proc/net/tcp6"];

/** The kernel may pass over a socket while it lists others that come and go. */
const READS_MAX = 3;

const [LOCAL, REMOTE, STATE, USER] = [1, 2, 3, 7];
/** A connection that is over; the list has no user for it any more. */
const TIME_WAIT = "06";

/** Whether it is this process' own user; undefined where the system does not tell. */
export type OwnPeer = (connection: PortPair) => Promise<boolean | undefined>;

const asked = new WeakMap<PortPair, Promise<boolean | undefined>>();

/** Asks once for each connection: reading the lists takes milliseconds. */
export const isOwnPeer: OwnPeer = (connection) => {
  const known = asked.get(connection);
  if (known !== undefined) return known;
  const answer = askKernel(connection);
  asked.set(connection, answer);
  return answer;
};

async function askKernel(connection: PortPair): Promise<boolean | undefined> {
  const own = process.getuid?.();
  if (own === undefined) return undefined;
  for (let read = 0; read < READS_MAX; read++) {
    for (const list of LISTS) {
      const text = await listed(list);
      if (text === undefined) return undefined;
      const users = usersIn(text, connection);
      if (users.length > 0) return users.every((user) => user === own);
    }
  }
  return false;
}

async function listed(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "latin1");
  } catch (error) {
    // Not Linux, or a container without it; without IPv6 there is no second list.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return path === LISTS[0] ? undefined : "";
    throw error;
  }
}

/**
 * The users of the sockets that lead from `remotePort` to `localPort`, at whatever addresses: where there are several
 * it cannot be told which is meant.
 */
export function usersIn(list: string, { localPort, remotePort }: PortPair): readonly number[] {
  if (localPort === undefined || remotePort === undefined) return [];
  const [from, to] = [remotePort, localPort].map(
    (port) => `:${port.toString(16).toUpperCase().padStart(4, "0")}`,
  );
  return list
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((row) => row[LOCAL]?.endsWith(from!) && row[REMOTE]?.endsWith(to!) && row[STATE] !== TIME_WAIT)
    .map((row) => Number(row[USER]));
}
