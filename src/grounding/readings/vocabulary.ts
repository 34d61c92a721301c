/**
 * The words in which readings are talked about: states that something can be in and how they exclude each other, kinds
 * of things, what is measured, and which of it changes from minute to minute.
 */
import { rowByWord } from "../../lib/word-set.js";
import { unitNamed } from "../../words/quantity/units.js";

/** States that mean the same, by dimension. Of the first two of a dimension, one holds where the other does not. */
const STATES = {
  activity: {
    running: "running active up started alive operational runs executing working",
    stopped: "stopped inactive down exited dead terminated halted killed created idle",
    failed: "failed crashed failing",
    paused: "paused suspended",
    restarting: "restarting reloading",
    starting: "starting activating",
    stopping: "stopping deactivating",
  },
  boot: { enabled: "enabled", disabled: "disabled masked" },
  installed: { installed: "installed", uninstalled: "uninstalled removed" },
  health: { healthy: "healthy", unhealthy: "unhealthy degraded sick" },
  presence: {
    present: "available exists exist existing present",
    missing: "missing absent unavailable nonexistent",
  },
  opening: { open: "open opened", closed: "closed shut" },
  power: { on: "on powered", off: "off unpowered" },
  locking: { locked: "locked", unlocked: "unlocked" },
  connection: { connected: "connected online reachable", disconnected: "disconnected offline unreachable" },
  mounting: { mounted: "mounted", unmounted: "unmounted" },
  listening: { listening: "listening listens" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Which question a state answers: a thing has at most one state of each dimension at a time. */
export type StateDimension = keyof typeof STATES;

export interface StateTerm {
  readonly dimension: StateDimension;
  /** States of one family mean the same. */
  readonly family: string;
  /** The word as it was written, in lower case. */
  readonly word: string;
}

const STATE_TERMS: ReadonlyMap<string, StateTerm> = new Map(
  (Object.keys(STATES) as StateDimension[]).flatMap((dimension) =>
    [...rowByWord<string>(STATES[dimension])].map(([word, family]) => [word, { dimension, family, word }]),
  ),
);

export function stateOf(word: string): StateTerm | undefined {
  return STATE_TERMS.get(word.toLowerCase());
}

/** `open`: neither follows from the other. */
export type Relation = "same" | "opposed" | "open";

/** What it means for the claim that something is `claimed` that it is `known`; `isSo: false`, that it is not. */
export function relationOf(claimed: StateTerm, known: StateTerm, isSo = true): Relation {
  // What is not there does nothing.
  if (!isSo && known.family === "present" && claimed.dimension === "activity")
    return claimed.family === "stopped" ? "open" : "opposed";
  if (claimed.dimension !== known.dimension) return "open";
  if (claimed.family === known.family) return isSo ? "same" : "opposed";
  if (!isSo) return isOneOfTwo(claimed) && isOneOfTwo(known) ? "same" : "open";
  // What has failed does not run; what does not run need not have failed.
  if (claimed.family === "stopped" && known.family === "failed") return "same";
  return claimed.family === "failed" && known.family === "stopped" ? "open" : "opposed";
}

function isOneOfTwo({ dimension, family }: StateTerm): boolean {
  return Object.keys(STATES[dimension]).indexOf(family) < 2;
}

const LASTING: ReadonlySet<StateDimension> = new Set(["boot", "installed", "presence", "mounting"]);

/** Whether this changes at any time, so that only a fresh reading of a tool can tell. */
export function isVolatileState({ dimension }: StateTerm): boolean {
  return !LASTING.has(dimension);
}

/** Looks a word up, in any case, in a table of words by what they mean. */
function byWord<T extends string>(table: Readonly<Record<T, string>>): (word: string) => T | undefined {
  const meanings = rowByWord<T>(table);
  return (word) => meanings.get(word.toLowerCase());
}

/** Kinds of things that have names, by the words for them. */
export const kindOf: (word: string) => string | undefined = byWord({
  service: "service services unit units daemon daemons server systemd",
  container: "container containers",
  process: "process processes",
  package: "package packages",
  interface: "interface interfaces nic adapter",
  disk: "disk disks mount mounts mountpoint filesystem filesystems partition partitions volume volumes drive",
  user: "user users account accounts",
  group: "group groups",
  port: "port ports",
  image: "image images",
  connection: "connection connections",
  door: "door doors gate",
  sensor: "sensor sensors probe",
  pump: "pump pumps",
  valve: "valve valves",
  line: "line lines",
  zone: "zone zones room rooms area",
  alarm: "alarm alarms",
  tank: "tank tanks",
});

/** Whether something of `known` kind may be what is claimed of a thing of `claimed` kind. */
export function kindsAgree(claimed: string | undefined, known: string | undefined): boolean {
  if (claimed === undefined || known === undefined || claimed === known) return true;
  // A service that runs is a process that runs; the reverse need not be.
  return claimed === "process" && known === "service";
}

/** What is measured, by its words. */
export const resourceOf: (word: string) => string | undefined = byWord({
  memory: "memory ram mem",
  swap: "swap",
  disk: "disk disks storage filesystem drive partition volume space",
  cpu: "cpu cpus processor processors",
  core: "core cores",
  thread: "thread threads",
  load: "load loadavg",
  uptime: "uptime",
  temperature: "temperature temp celsius fahrenheit degrees",
  humidity: "humidity",
  pressure: "pressure bar",
  battery: "battery",
  level: "level",
  speed: "speed rpm",
});

export type Aspect = "total" | "used" | "free";

/** Which part of what there is a word speaks of. */
export const aspectOf: (word: string) => Aspect | undefined = byWord({
  total: "total size capacity installed overall altogether",
  used: "used use usage full consumed occupied utilization utilisation utilized busy using",
  free: "free available avail left remaining idle unused",
});

/** Whether only a fresh reading of a tool can tell this measure. */
export function isVolatileMeasure(resource: string, aspect: Aspect | undefined, isShare: boolean): boolean {
  if (resource === "core" || resource === "thread") return false;
  return isShare || aspect !== "total" || !["memory", "swap", "disk"].includes(resource);
}

/** `used_percent`, `usedPercent`, `used-percent` and `Used %` to words in lower case. */
export function keyWords(key: string): readonly string[] {
  return keySegments(key).map((segment) => segment.toLowerCase());
}

/** As `keyWords`, as they are written; a unit stays whole: `power_kW`. */
export function keySegments(key: string): readonly string[] {
  return key
    .replace(/%/g, " percent ")
    .split(/[^A-Za-z\d°µ²³]+/)
    .flatMap((part) =>
      unitNamed(part) === undefined ? part.replace(/([a-z\d])([A-Z])/g, "$1 $2").split(" ") : [part],
    )
    .filter((segment) => segment !== "");
}
