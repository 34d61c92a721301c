/**
 * The words in which readings are talked about: states that something can be in and how they exclude each other, kinds
 * of things, what is measured, and which of it changes from minute to minute.
 */
import { unitNamed } from "../../words/quantity/units.js";

/** Which question a state answers: a thing has at most one state of each dimension at a time. */
export type StateDimension =
  | "activity"
  | "boot"
  | "installed"
  | "health"
  | "presence"
  | "opening"
  | "power"
  | "locking"
  | "connection"
  | "mounting"
  | "listening";

export interface StateTerm {
  readonly dimension: StateDimension;
  /** States of one family mean the same. */
  readonly family: string;
  /** The word as it was written, in lower case. */
  readonly word: string;
}

const FAMILIES: Readonly<Record<string, readonly [StateDimension, string]>> = {
  running: ["activity", "running active up started alive operational runs executing working"],
  stopped: ["activity", "stopped inactive down exited dead terminated halted killed created idle"],
  failed: ["activity", "failed crashed failing"],
  paused: ["activity", "paused suspended"],
  restarting: ["activity", "restarting reloading starting activating stopping deactivating"],
  enabled: ["boot", "enabled"],
  disabled: ["boot", "disabled masked"],
  installed: ["installed", "installed"],
  uninstalled: ["installed", "uninstalled removed"],
  healthy: ["health", "healthy"],
  unhealthy: ["health", "unhealthy degraded sick"],
  present: ["presence", "available exists exist existing present"],
  missing: ["presence", "missing absent unavailable nonexistent"],
  open: ["opening", "open opened"],
  closed: ["opening", "closed shut"],
  on: ["power", "on powered"],
  off: ["power", "off unpowered"],
  locked: ["locking", "locked"],
  unlocked: ["locking", "unlocked"],
  connected: ["connection", "connected online reachable"],
  disconnected: ["connection", "disconnected offline unreachable"],
  mounted: ["mounting", "mounted"],
  unmounted: ["mounting", "unmounted"],
  listening: ["listening", "listening listens"],
};

const STATES: ReadonlyMap<string, StateTerm> = new Map(
  Object.entries(FAMILIES).flatMap(([family, [dimension, words]]) =>
    words.split(" ").map((word) => [word, { dimension, family, word }] as const),
  ),
);

export function stateOf(word: string): StateTerm | undefined {
  return STATES.get(word.toLowerCase());
}

/** `open`: neither follows from the other. */
export type Relation = "same" | "opposed" | "open";

/** What being `known` means for the claim that something is `claimed`. */
export function relationOf(claimed: StateTerm, known: StateTerm): Relation {
  if (claimed.dimension !== known.dimension) return "open";
  if (claimed.family === known.family) return "same";
  // What has failed does not run; what does not run need not have failed.
  if (claimed.family === "stopped" && known.family === "failed") return "same";
  if (claimed.family === "failed" && known.family === "stopped") return "open";
  return "opposed";
}

/** What can be said when something is known *not* to be in a state: `running: false`. */
export function relationToAbsence(claimed: StateTerm, absent: StateTerm): Relation {
  if (claimed.dimension !== absent.dimension) return "open";
  if (claimed.family === absent.family) return "opposed";
  if (!OTHER_OF.has(absent.family)) return "open";
  return OTHER_OF.get(absent.family) === claimed.family ? "same" : "open";
}

/** The one state that is left when something is not in the other. */
const OTHER_OF: ReadonlyMap<string, string> = new Map(
  [
    ["running", "stopped"],
    ["enabled", "disabled"],
    ["installed", "uninstalled"],
    ["healthy", "unhealthy"],
    ["present", "missing"],
    ["open", "closed"],
    ["on", "off"],
    ["locked", "unlocked"],
    ["connected", "disconnected"],
    ["mounted", "unmounted"],
  ].flatMap(([a, b]) => [[a!, b!] as const, [b!, a!] as const]),
);

/** Dimensions that change at any time, so that only a fresh reading of a tool can tell. */
const VOLATILE_DIMENSIONS: ReadonlySet<StateDimension> = new Set([
  "activity",
  "health",
  "opening",
  "power",
  "locking",
  "connection",
  "listening",
]);

export function isVolatileState({ dimension }: StateTerm): boolean {
  return VOLATILE_DIMENSIONS.has(dimension);
}

/** Kinds of things that have names, by the words for them. */
const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }).flatMap(([kind, words]) => words.split(" ").map((word) => [word, kind] as const)),
);

export function kindOf(word: string): string | undefined {
  return KINDS.get(word.toLowerCase());
}

/** Whether something of `known` kind may be what is claimed of a thing of `claimed` kind. */
export function kindsAgree(claimed: string | undefined, known: string | undefined): boolean {
  if (claimed === undefined || known === undefined || claimed === known) return true;
  // A service that runs is a process that runs; the reverse need not be.
  return claimed === "process" && known === "service";
}

/** What is measured, by its words. */
const RESOURCES: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }).flatMap(([resource, words]) => words.split(" ").map((word) => [word, resource] as const)),
);

export function resourceOf(word: string): string | undefined {
  return RESOURCES.get(word.toLowerCase());
}

export type Aspect = "total" | "used" | "free";

const ASPECTS: ReadonlyMap<string, Aspect> = new Map(
  Object.entries({
    total: "total size capacity installed overall altogether",
    used: "used use usage full consumed occupied utilization utilisation utilized busy using",
    free: "free available avail left remaining idle unused",
  }).flatMap(([aspect, words]) => words.split(" ").map((word) => [word, aspect as Aspect] as const)),
);

export function aspectOf(word: string): Aspect | undefined {
  return ASPECTS.get(word.toLowerCase());
}

/** Measures that do not change while a machine stays as it is. */
const STEADY_RESOURCES: ReadonlySet<string> = new Set(["core", "thread"]);
const SIZED_RESOURCES: ReadonlySet<string> = new Set(["memory", "swap", "disk"]);

/** Whether only a fresh reading of a tool can tell this measure. */
export function isVolatileMeasure(resource: string, aspect: Aspect | undefined, isShare: boolean): boolean {
  if (STEADY_RESOURCES.has(resource)) return false;
  return !(SIZED_RESOURCES.has(resource) && aspect === "total" && !isShare);
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
