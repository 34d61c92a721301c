/**
 * The rows of `pulse-routing-cases.json` about reading, on Readback's own registry. Rows that ours does otherwise are
 * listed with the reason, and are not run.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Resource } from "../../src/domain/resource.js";
import { NO_TARGETS } from "../../src/domain/target-context.js";
import { routingFault, strictTarget } from "../../src/operate/check-by-model.js";
import {
  afterResolution,
  afterUse,
  Registry,
  resourceId,
  TARGET_MS_MAX,
  TARGETS_MAX,
} from "../../src/operate/targets/registry.js";

/** Rows about reading that are done otherwise. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "rm-07":
    "what the user named counts by turns, not for 30 s of the clock: a slow speaker keeps the protection",
  "ro-01":
    "a resource has one way, its site's tool and its address: there is no agent whose name could win over it",
  "ro-02": "a name that the registry has not is unknown, and is not handed on to an agent of that name",
  "ro-03": "the site says under which names a host is known; a domain name is an alias and not guessed",
  "ro-05": "as ro-01",
  "sr-01": "resolution is always strict: a target that is not known is never acted on",
  "sr-03": "as sr-01: what can be known is in the registry, so no reading searches for a name that is not",
  "sr-09": "as sr-01; and this table is about reading",
  "rc-05": "nothing is pinned: a proposal that waits holds its own target in the dialogue",
  "rc-07": "as rc-05; a new chat has a new value",
  "rc-09": "as rm-07: marks go by turns, apart from what was read",
};

interface Row {
  readonly id: string;
  readonly topology?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly id?: string;
    readonly node?: string;
  }[];
  readonly agents?: readonly { readonly host: string }[];
  readonly target?: string;
  readonly explicit?: readonly string[];
  readonly blocked?: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly known?: readonly { readonly alias: string }[];
  readonly name?: string;
  readonly ttl_s?: number;
  readonly max_entries?: number;
  readonly add_many?: readonly string[];
  readonly keeps?: readonly string[];
}

const table = JSON.parse(
  readFileSync(new URL("pulse-routing-cases.json", import.meta.url), "utf8"),
) as Record<"routing_mismatch" | "route_order" | "strict_resolution" | "resolved_table", readonly Row[]>;
const access = { network: "n", visibility: "network", allowedUsers: [], allowedGroups: [] } as const;
const user = { network: "n", username: "ann", groups: [], kiosk: false };

function resourceOf(kind: string, name: string, parent?: string): Resource {
  const id = resourceId("s", kind, name);
  return {
    id,
    site: "s",
    kind,
    names: [name],
    address: name,
    paths: [],
    access,
    ...(parent === undefined ? {} : { parent }),
  };
}

function knownOf(resources: readonly Resource[]) {
  return Registry.EMPTY.with("s", resources).knownTo(user);
}

const own = (rows: readonly Row[]) => rows.filter(({ id }) => OTHERWISE[id] === undefined);

describe("the reference's routing", () => {
  it.each(own(table.routing_mismatch))(
    "$id",
    ({ blocked, details, explicit = [], target, topology = [] }) => {
      const known = knownOf(
        topology.map(({ kind, name, node }) => resourceOf(kind, name, node && resourceId("s", "node", node))),
      );
      const at = (name: string) => known.all.find((one) => one.names[0] === name)!;
      const named = topology.filter(({ id = "" }) => explicit.includes(id)).map(({ name }) => at(name));
      const context = afterResolution(NO_TARGETS, { type: "one", resource: named[0]!, how: "name" }, 0);
      const fault = routingFault(at(target!), known, context, 0);
      expect(fault !== undefined).toBe(blocked);
      if (details === undefined) return;
      expect(fault).toMatchObject({ code: "ROUTING_MISMATCH", blocked: true });
      expect(fault!.details.target_host).toBe(details.target_host);
      expect(fault!.details.more_specific_resources).toEqual(details.more_specific_resources);
      expect(fault!.details.more_specific_resource_ids).toEqual(named.map(({ id }) => id));
      expect(fault!.details).toHaveProperty("policy_boundary");
      expect(fault!.details).not.toHaveProperty("auto_recoverable");
    },
  );

  it.each(own(table.route_order))("$id", ({ agents = [], target }) => {
    const known = knownOf(agents.map(({ host }) => resourceOf("agent", host)));
    expect(strictTarget(target!, known)).toMatchObject({ resource: { address: agents[0]!.host } });
  });

  it.each(own(table.strict_resolution))("$id", ({ blocked, known = [], name }) => {
    const resources = knownOf(known.map(({ alias }) => resourceOf("node", alias)));
    expect("fault" in strictTarget(name!, resources)).toBe(blocked);
  });

  it.each(own(table.resolved_table))("$id", ({ add_many, keeps = [], max_entries, ttl_s }) => {
    if (ttl_s !== undefined) expect([TARGET_MS_MAX / 1_000, TARGETS_MAX]).toEqual([ttl_s, max_entries]);
    const filler = Array.from({ length: TARGETS_MAX - (max_entries ?? 0) }, (_, i) => `later ${i}`);
    const context = afterUse(
      afterUse(NO_TARGETS, add_many ?? [], 0),
      add_many === undefined ? [] : filler,
      0,
    );
    const resolved = context.resolved.map(({ id }) => id);
    expect(resolved).toEqual(expect.arrayContaining([...keeps]));
    if (add_many !== undefined) expect(resolved).not.toContain(add_many[0]);
  });

  it("tells how many rows about reading pass", () => {
    const { resolved_table, route_order, routing_mismatch, strict_resolution } = table;
    const rows = [...routing_mismatch, ...route_order, ...strict_resolution, ...resolved_table];
    const others = rows.filter(({ id }) => OTHERWISE[id] !== undefined);
    console.log(
      `pulse_routing_cases: ${rows.length - others.length} of ${rows.length} visible rows about reading pass`,
    );
    for (const { id } of others) console.log(`  ${id} otherwise: ${OTHERWISE[id]}`);
    expect(others).toHaveLength(Object.keys(OTHERWISE).length);
  });
});
