/**
 * The only way to a tool that acts. It holds every call once more against the settings: nothing but the address of a thing
 * that they name and a number in its range gets into the arguments, and what is locked out or switched off is not called.
 */
import { statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { CallPlan, CallReply } from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import type { Access } from "../../domain/user.js";
import { sameValue } from "../../grounding/checkers/statements.js";
import { SiteFailure } from "../../sites/port.js";
import { isOld } from "../../sites/readings.js";
import { KnownResources, type Registry } from "../targets/registry.js";
import { type ActingTool, fitOf, isActing } from "./acting.js";
import { isReading, type SiteReader } from "./site-reader.js";
import { type SiteCallDeps, SiteTools, toolsOn } from "./site-tools.js";

export interface SiteWriterDeps extends SiteCallDeps {
  readonly reader: SiteReader;
  readonly registry: () => Registry;
  readonly mode: "off" | "dry_run" | "on";
  /** While this file exists, or it cannot be told whether it does, nothing is done. */
  readonly offFile: string;
}

/** What touches a site: the executor alone calls it. */
export type SiteWriter = Pick<GuardedSiteWriter, "execute" | "observe" | "forbidden">;

export class GuardedSiteWriter extends SiteTools<SiteWriterDeps> {
  /** The tools that act on one thing each and are on, of the sites that this access may ask. */
  toolsFor({ network }: Access): readonly ActingTool[] {
    return this.sitesOf(network)
      .flatMap(toolsOn)
      .filter(isActing)
      .filter(({ options }) => options.target !== undefined);
  }

  /** Whether everything is switched off: by the mode, or by the file. */
  isOff(): boolean {
    return this.deps.mode === "off" || mayExist(this.deps.offFile);
  }

  /** Whether this may be done at all now: the mode, the switch for everything, a lockout. Undefined: it may. */
  forbidden({ target }: CallPlan): "off" | "locked_out" | undefined {
    if (this.isOff()) return "off";
    return this.deps.registry().find(target)?.lockedOut === true ? "locked_out" : undefined;
  }

  /** Calls the tool once. Resolves whatever happens but an abort; a lost reply is told as such. `key`: idempotency key. */
  async execute(call: CallPlan, key: string, signal: AbortSignal): Promise<CallReply> {
    signal.throwIfAborted();
    const checked = this.forbidden(call) ?? this.#checked(call);
    if (typeof checked === "string")
      return { type: "refused", message: `${call.tool} is not called: ${checked}` };
    const { keyArgument } = checked.options;
    const args = keyArgument === undefined ? call.args : { ...call.args, [keyArgument]: key };
    try {
      await this.call(checked, args, signal);
      return { type: "ok" };
    } catch (error) {
      signal.throwIfAborted();
      const { code, message } = SiteFailure.of(error, "EXECUTION_FAILED");
      // What a tool says of a failure, too, may have come after its effect.
      return { type: code === "EXECUTION_FAILED" ? "failed" : "lost", message: `${code}: ${message}` };
    }
  }

  /** Reads the postcondition's signal afresh, one that may not be asked for, too. Undefined: it cannot be read. Rejects when aborted. */
  async observe({ postcondition, target }: CallPlan, signal: AbortSignal): Promise<Reading | undefined> {
    const { clock, reader, registry } = this.deps;
    const { signal: name, tool: id } = postcondition;
    const found = registry().find(target);
    const tool = found && this.toolOn(found.site, id);
    if (tool === undefined || !isReading(tool)) return undefined;
    const resource = { ...found!, allowed: undefined };
    const { readings } = await reader.read({ tool, resource }, new KnownResources([resource]), signal);
    const [first, ...others] = readings.filter((one) => one.signal === name && one.target === target);
    const isTold = first !== undefined && others.every((one) => sameValue(one, first));
    return isTold && !isOld(first, tool.options.reads[first.signal]!, clock.now()) ? first : undefined;
  }

  /** The tool of a call; or what of the call does not come from the settings, or that it cannot be sent. */
  #checked(call: CallPlan): ActingTool | string {
    const resource = this.deps.registry().find(call.target);
    if (resource === undefined) return "nothing is known of its target";
    const tool = this.toolOn(resource.site, call.tool);
    if (tool === undefined || !isActing(tool)) return "it is off, or does not act";
    if (this.site(tool.site)?.site.status().state !== "connected") return "its system is not connected";
    const value = call.args[tool.options.valueArgument?.name ?? ""];
    const fit = fitOf(tool, resource, typeof value === "number" ? value : undefined);
    if ("why" in fit) return `its arguments do not fit (${fit.why})`;
    if (!isDeepStrictEqual(fit.args, call.args)) return "it has other arguments than its target takes";
    return tool;
  }
}

/** Whether a file is there; one of which that cannot be told counts as there. */
function mayExist(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
