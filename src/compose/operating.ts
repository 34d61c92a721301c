/** What changes things of a site, put together: the ledger, the executor, the capability, and who is told unasked. */
import { join } from "node:path";
import type { Identity } from "../api/claims.js";
import type { AskRequest } from "../capability/capability.js";
import type { Config } from "../config/schema.js";
import type { Clock } from "../lib/clock.js";
import type { Random } from "../lib/random.js";
import { challengeFor } from "../operate/consent/challenge.js";
import { Executor } from "../operate/executor.js";
import { FileLedger } from "../operate/ledger/file-ledger.js";
import { ledgerFiles } from "../operate/ledger/files.js";
import {
  createOperate,
  type OperateDeps,
  outcomeTold,
  propose,
  readAgain,
  type WantedOperation,
} from "../operate/operate.js";
import { NEWS_MS_MAX } from "../operate/operation/state.js";
import { GuardedSiteWriter } from "../operate/safety/site-writer.js";
import { Tellings } from "../operate/tellings.js";
import type { Telemetry } from "../telemetry/events.js";
import { type GroupSources, turnAccess } from "../turn/access.js";
import type { Announcement } from "../turn/announce.js";
import type { Checking } from "./checking.js";
import { isHeardByServer } from "./recogniser.js";

export type Operating = NonNullable<Awaited<ReturnType<typeof createOperating>>>;

export interface OperatingDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
  readonly groups: GroupSources;
  readonly checking: Pick<Checking, "sites" | "invalidate">;
  readonly announce: (announcement: Announcement) => "taken" | "no_chat";
}

/** Undefined where nothing is ever done. Rejects with `LedgerUnusable`. */
export async function createOperating(config: Config, deps: OperatingDeps) {
  const { levels, mode, offFile = join(config.dataDir, "operate.off"), roughRecogniser } = config.operate;
  const { checking, clock, random, telemetry } = deps;
  const { sites } = checking;
  if (mode === "off") return undefined;
  const ledger = await FileLedger.open(ledgerFiles(config.dataDir, config.operate.ledgerKeyFile), deps);
  const writer = new GuardedSiteWriter(sites.connected, { ...sites, clock, telemetry, mode, offFile });
  const stop = new AbortController();
  const tellings: Tellings = new Tellings({
    clock,
    operations: () => executor,
    announce(view, askedAs) {
      const { askedOf: user, id: subject, language } = view.proposal;
      const about = { id: random.id(), subject, user, language, untilMs: clock.now() + NEWS_MS_MAX };
      return deps.announce({ ...about, ...askedAs, capability: outcomeTold(view, operateDeps) });
    },
  });
  const executor: Executor = new Executor({
    ...{ ledger, writer, clock, telemetry },
    id: () => `op-${random.id()}`,
    challengeFor: (proposal) => challengeFor(proposal, random),
    mayKnow: (access, targets) => sites.registry().readable(targets, access).size === targets.length,
    onNews: (user) => void tellings.news(user),
    onWrite: (targets) => checking.invalidate(targets),
    signal: stop.signal,
  });
  const operateDeps: OperateDeps = {
    ...{ ...sites, clock, writer, tellings, operations: executor, levels },
    route: config.routing.routes.find(({ capability }) => capability === "operate")?.name ?? "operate",
    dryRun: mode === "dry_run",
    isRough: { auto: !isHeardByServer(config), yes: true, no: false }[roughRecogniser],
  };
  return {
    ledger,
    operations: executor,
    access: (identity: Identity, signal: AbortSignal) => turnAccess(identity, deps, signal),
    operate: createOperate(operateDeps),
    propose: (wanted: WantedOperation, request: AskRequest, signal: AbortSignal) =>
      propose(wanted, { ...operateDeps, request, signal }),
    readAgain: (id: string, request: AskRequest, signal: AbortSignal) =>
      readAgain(id, { ...operateDeps, request, signal }),
    /** Takes up what the last process left behind; before that nothing is proposed. */
    start: () => executor.recover(),
    close: async () => {
      stop.abort(new Error("the service ends"));
      await ledger.close();
    },
  };
}
