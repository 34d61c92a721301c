/** Guides, put together: the folder that they lie in, their runs, and the capability that leads people through them. */
import { join } from "node:path";
import type { Identity } from "../api/claims.js";
import { type Capability, USUAL_LIMITS } from "../capability/capability.js";
import { END } from "../capability/draft.js";
import type { Config } from "../config/schema.js";
import type { OperationView } from "../domain/operation.js";
import type { HistoryEntry } from "../domain/turn.js";
import type { Access, User } from "../domain/user.js";
import { createInterview } from "../guide/builder/interview.js";
import { Colleagues, type TellUser } from "../guide/colleagues.js";
import { isExpected } from "../guide/expected.js";
import { createLead, type GuideOperations } from "../guide/lead.js";
import { GuideLibrary } from "../guide/library/library.js";
import type { OperatedOutcome } from "../guide/run/run.js";
import { GuideRunner, type OpenRun, type ReadStep, type SaidPart } from "../guide/runner.js";
import type { BuildingDoor } from "../http/guide-sessions/door.js";
import type { GuidingDoor } from "../http/guides/door.js";
import { UsageProblem } from "../lib/usage-problem.js";
import type { Prompts } from "../llm/prompts.js";
import type { Locales } from "../locale/locales.js";
import { judgePlain } from "../operate/consent/judge.js";
import { FileLedger } from "../operate/ledger/file-ledger.js";
import { ledgerFiles } from "../operate/ledger/files.js";
import type { Ledger } from "../operate/ledger/port.js";
import { readsFor } from "../operate/safety/site-reader.js";
import { renderingFor, statementsOf } from "../operate/speech/statements.js";
import { GroupsUnknown } from "../retrieval/groups/port.js";
import { type AccessRules, documentRules, recall } from "../retrieval/recall.js";
import { StoreUnusable } from "../store/dead-letters.js";
import { openGuideRuns } from "../store/embedded-guide-runs.js";
import { MemoryGuideRuns } from "../store/guide-runs.js";
import type { Telemetry } from "../telemetry/events.js";
import { turnAccess } from "../turn/access.js";
import type { Announcement } from "../turn/announce.js";
import type { CheckedSites, Checking } from "./checking.js";
import { createBuilding } from "./guide-building.js";
import { GuideDocuments } from "./guide-documents.js";
import type { Knowledge, KnowledgeDeps } from "./knowledge.js";
import type { Models } from "./models.js";
import type { Operating } from "./operating.js";

/** The capabilities of guides, what the doors need of them, and who may know of which guide. */
export type Guiding = Awaited<ReturnType<typeof createGuiding>>;

export interface GuidingDeps extends KnowledgeDeps, Pick<Knowledge, "retrieval" | "groups" | "inspector"> {
  readonly locales: Locales;
  readonly prompts: Prompts;
  readonly models: Pick<Models, "drafting">;
  readonly checking: Checking | undefined;
  readonly operating: Operating | undefined;
  readonly announce: (announcement: Announcement) => void;
  /** Users of a network who are at a radio. */
  readonly usersOf: (network: string) => readonly string[];
  /** What a chat of this user remembers; without `session`, the one that they have with the relays. */
  readonly remembered: (user: User, session: string | undefined) => readonly HistoryEntry[];
}

/** How long somebody may be told of a run unasked, in milliseconds. */
const TOLD_MS_MAX = 3_600_000;

/** Rejects with `UsageProblem` where a guide cannot be used. Runs that cannot be kept on disk are kept in memory. */
export async function createGuiding(config: Config, deps: GuidingDeps) {
  const { dataDir, guides, routing } = config;
  const { checking, clock, locales, operating, random, retrieval, telemetry } = deps;
  if (guides.helpGroups.length > 0 && deps.groups.members.length === 0)
    throw new UsageProblem(
      "guides.help_groups: nobody knows who is in a group. Set groups.file or groups.index, or name people in guides.help_users.",
    );
  const documents = new GuideDocuments(deps.inspector, retrieval);
  const library = await GuideLibrary.open(guides.dir ?? join(dataDir, "guides"), documents.readable);
  const runs = await openGuideRuns(dataDir).catch((error: unknown) => {
    if (!(error instanceof StoreUnusable)) throw error;
    telemetry.emit({ type: "service_fault", where: "the runs of guides", error: error.message });
    return new MemoryGuideRuns();
  });
  const stop = new AbortController();
  const shared = { clock, random, telemetry, locales, library, runs };
  const files = ledgerFiles(dataDir, config.operate.ledgerKeyFile);
  const records = recordsIn(operating?.ledger, () => FileLedger.open(files, deps));
  const runner = new GuideRunner({
    ...shared,
    record: (open) => records.add(open),
    read: checking && stepReader(checking.sites),
    isOutdated: (guide, network, signal) => documents.isOutdated(guide, network, signal),
  });
  const access: GuidingDoor["access"] = ({ features, groups, user }, signal) =>
    turnAccess({ user, features, groups }, deps, signal);
  const operations = operating && operationsOf(operating);
  const colleagues = new Colleagues({
    ...{ ...shared, runner, signal: stop.signal, tell: teller(deps) },
    usersOf: deps.usersOf,
    helpersIn: (network, signal) => helpersIn(network, config, deps, signal),
    accessOf: (user, signal) => access({ user, features: [], groups: [] }, signal),
    ended:
      operating &&
      (async (id, signal) => outcomeOf(await operating.operations.outcome(id, signal)) ?? "unknown"),
  });
  const atKiosk = whereLed(runner, access, telemetry);
  const rules: AccessRules = { guide: (ids, asker, signal) => library.readable(ids, asker, signal) };
  const writing = { ...deps, library, access, remembered: recalling(deps, rules) };
  const building = await createBuilding(config, writing);
  const route = routing.routes.find(({ capability }) => capability === "guide")?.name ?? "guide";
  return {
    ...{ library, runs, runner, colleagues },
    /** The folder of the guides, to be read again when it changes. */
    watched: {
      name: "guides.dir",
      reload: () => library.reload(),
      get paths() {
        return library.paths;
      },
    },
    access,
    building,
    show: atKiosk("the screen of a guide", (granted, signal) => runner.shown(granted, signal)),
    leave: atKiosk("a guide that was left", (granted, signal) => runner.leave(granted, signal)),
    guide: createLead({ ...shared, route, runner, operations, colleagues }),
    /** Writes guides down in a chat. */
    build: createInterview({ ...shared, route, runner, ...building, ...inChats(config) }),
    rules,
    /** Takes up the runs that the last process left. */
    start: async () => {
      building.start();
      await colleagues.recover(await runner.recover());
    },
    close: async () => {
      stop.abort(new Error("the service ends"));
      await Promise.all([runs.close(), records.close(), building.close()]);
    },
  };
}

/** Who may write and review guides in a chat, and how a reply of theirs is judged. */
function inChats({ guides: { authorUsers: authors, reviewUsers: reviewers } }: Config) {
  return { authors, reviewers, judge: judgePlain };
}

/** What a chat remembers that its user may read now. */
function recalling(
  { checking, remembered, retrieval }: Pick<GuidingDeps, "checking" | "remembered" | "retrieval">,
  guides: AccessRules,
): BuildingDoor["remembered"] {
  const rules = { ...documentRules(retrieval), ...checking?.rules, ...guides };
  return (asker, session, signal) => recall(remembered(asker, session), asker, rules, signal);
}

/** Work on the guide that leads a kiosk, which goes on without it where that cannot be done. */
function whereLed(runner: GuideRunner, access: GuidingDoor["access"], telemetry: Telemetry) {
  return <T>(where: string, work: (granted: Access, signal: AbortSignal) => Promise<T>) =>
    async (caller: Identity, signal: AbortSignal): Promise<T | undefined> => {
      if (!runner.leads(caller.user)) return undefined;
      try {
        return await work(await access(caller, signal), signal);
      } catch (error) {
        signal.throwIfAborted();
        telemetry.emit({ type: "service_fault", where, error: String(error) });
        return undefined;
      }
    };
}

/** Those whom the settings name, by their names and by their groups; a group that is not known now has nobody. */
async function helpersIn(
  network: string,
  { guides: { helpGroups, helpUsers } }: Config,
  { groups, telemetry }: GuidingDeps,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const asked = helpGroups.flatMap((group) =>
    groups.members.map((directory) => directory.membersOf(group, network, signal)),
  );
  const members = await Promise.all(asked).catch((error: unknown) => {
    if (!(error instanceof GroupsUnknown)) throw error;
    telemetry.emit({ type: "service_fault", where: "guides.help_groups", error: error.message });
    return [];
  });
  return [...new Set([...helpUsers, ...members.flat()])];
}

/** Lines of a run in one row of the ledger: of the longest that there can be, no more than half of a row. */
const LINES_MAX = 200;

/** Writes runs that are over into the ledger: that of operations, or one that is opened for the first of them. */
function recordsIn(shared: Pick<Ledger, "append"> | undefined, open: () => Promise<Ledger>) {
  let own: Promise<Ledger> | undefined;
  const opened = () => {
    own ??= open().catch((error: unknown) => {
      own = undefined;
      throw error;
    });
    return own;
  };
  return {
    /** Rejects with `LedgerUnusable`. */
    async add({ id: operation, network, run, startedAtMs }: OpenRun): Promise<void> {
      const ledger = shared ?? (await opened());
      const { guide, log, status, user, values, version } = run;
      const told = { guide, version, user, status, startedAtMs, values };
      for (let from = 0; from < log.length; from += LINES_MAX) {
        const part = { ...told, log: log.slice(from, from + LINES_MAX) };
        await ledger.append({ operation, network, type: "guide_run", run: part });
      }
    },
    async close(): Promise<void> {
      // One that could not be opened is none.
      const [ledger] = await Promise.allSettled([own]);
      if (ledger.status === "fulfilled") await ledger.value?.close();
    },
  };
}

/** Says something unasked, as an announcement of a phrase. */
function teller({ announce, clock, random }: GuidingDeps): TellUser {
  return (user, subject, language, parts, heard) =>
    announce({
      ...{ id: random.id(), user, subject, language, features: [], groups: [], responseType: "audio" },
      capability: saying(parts, heard),
      untilMs: clock.now() + TOLD_MS_MAX,
    });
}

function saying(parts: readonly SaidPart[], heard?: () => void): Capability {
  return {
    name: "guide",
    limits: USUAL_LIMITS,
    async *draft() {
      for (const part of parts) yield { type: "phrase", ...part };
      yield END;
    },
    heard: ({ isWhole }) => (isWhole ? heard?.() : undefined),
  };
}

/** Reads what a step wants of a site, as a check would, and says it in the words of one. */
function stepReader({ reader, registry }: CheckedSites): ReadStep {
  return async (step, access, locale, signal) => {
    const known = registry().knownTo(access);
    const resource = known.byId(step.resource);
    if (resource === undefined) return undefined;
    const [call] = readsFor([step.signal], [resource], reader.toolsFor(access));
    const result = call && (await reader.read(call, known, signal));
    const reading = result?.readings.find(
      ({ signal: name, target }) => name === step.signal && target === resource.id,
    );
    if (reading === undefined) return undefined;
    const said = statementsOf([reading], renderingFor(locale, known, true)).map(({ text }) => text);
    return { said: said.join(" "), fits: isExpected(step.expect, reading), takenAtMs: reading.takenAtMs };
  };
}

function operationsOf({ operate, operations, propose, readAgain }: Operating): GuideOperations {
  return {
    readAgain,
    propose: ({ action, resource, unit, value }, request, signal) =>
      propose({ action, target: resource, value, unit }, request, signal),
    outcome: (id, access) => {
      const view = operations.list(access).find(({ proposal }) => proposal.id === id);
      return view === undefined ? "unknown" : outcomeOf(view);
    },
    heard: (report) => operate.heard?.(report),
  };
}

/** As a step of a guide counts it; undefined: it has not ended. Where nothing was called, nothing was done. */
function outcomeOf({ outcomes, phase, reason }: OperationView): OperatedOutcome | undefined {
  if (phase !== "ended") return undefined;
  if (reason !== undefined || outcomes.every((one) => one === undefined || one === "dry_run"))
    return "refused";
  if (outcomes.every((one) => one === "verified")) return "verified";
  return outcomes.includes("unknown") ? "unknown" : "failed";
}
