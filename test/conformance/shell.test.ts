/** Tables of commands from elsewhere: which of them only read. How many rows of each pass is printed. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { judgeCommand } from "../../src/sites/shell/judge.js";
import { loadSqlParser } from "../../src/sites/shell/sql.js";

function read<T>(name: string, schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), "utf8")));
}

const Intents = z.object({ cases: z.array(z.object({ command: z.string(), expect: z.array(z.string()) })) });
const Probes = z.object({
  cases: z.array(z.object({ command: z.string(), truth: z.string(), basis: z.string() })),
});
const Risks = z.object({ cases: z.array(z.object({ command: z.string(), risk: z.string() })) });
const Safe = z.object({ cases: z.array(z.object({ command: z.string(), known_safe: z.boolean() })) });
const Policy = z.object({
  policy: z.array(z.object({ command: z.string(), decision: z.string() })),
  approval_card_risk: z.array(z.object({ command: z.string(), risk: z.string() })),
});
const Name = z.object({ name: z.string(), valid: z.boolean() });
const Reos = z.object({
  dangerous_command: z.array(z.object({ command: z.string(), dangerous: z.boolean() })),
  service_name: z.array(Name),
  container_id: z.array(Name),
});
const Argv = z.array(z.string());
const Helpers = z.object({
  timeout_duration_token: z.array(z.object({ token: z.string(), valid: z.boolean() })),
  timeout_inner_command: z.array(z.object({ argv: Argv, ok: z.boolean() })),
  env_has_wrapped_command: z.array(z.object({ argv: Argv, wrapped: z.boolean() })),
  http_method_mutates: z.array(z.object({ method: z.string(), mutates: z.boolean() })),
  curl_has_http_url: z.array(z.object({ argv: Argv, yes: z.boolean() })),
  wget_write_or_mutation_option: z.array(z.object({ token: z.string(), yes: z.boolean() })),
  curl_mutation_or_file_output: z.array(
    z.object({ command: z.string(), curl_mutates_or_writes_file: z.boolean() }),
  ),
});

interface Row {
  readonly command: string;
  /** Whether it may be judged so. */
  readonly reads: boolean;
  readonly writes: boolean;
}

const row = (command: string, reads: boolean): Row => ({ command, reads, writes: !reads });

const probes = read("intent_gap_probes", Probes).cases;
const policies = read("pulse_policy_cases", Policy);
const reos = read("reos_commands", Reos);
const helpers = read("pulse_intent_helper_tables", Helpers);

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  pulse_intent_cases: read("pulse_intent_cases", Intents).cases.map(({ command, expect: labels }) => ({
    command,
    reads: labels.some((label) => label.startsWith("read_only")),
    writes: labels.includes("write_or_unknown"),
  })),
  pulse_command_risk_cases: read("pulse_command_risk_cases", Risks).cases.map((one) =>
    row(one.command, one.risk === "read_only"),
  ),
  codex_known_safe_cases: read("codex_known_safe_cases", Safe).cases.map((one) =>
    row(one.command, one.known_safe),
  ),
  intent_gap_probes: probes.map(({ command, truth }) => row(command, truth === "read_only")),
  "pulse_policy_cases: policy": policies.policy.map((one) => row(one.command, one.decision === "allow")),
  "pulse_policy_cases: cards": policies.approval_card_risk.map((one) => row(one.command, one.risk === "low")),
  "reos: dangerous commands": reos.dangerous_command.map((one) => row(one.command, !one.dangerous)),
  "reos: names of services": reos.service_name.map((one) => row(`systemctl status ${one.name}`, one.valid)),
  "reos: names of containers": reos.container_id.map((one) => row(`docker logs ${one.name}`, one.valid)),
  "pulse: durations of timeout": helpers.timeout_duration_token.map((one) =>
    row(`timeout ${one.token} ls`, one.valid),
  ),
  "pulse: commands in timeout": helpers.timeout_inner_command.map((one) => row(one.argv.join(" "), one.ok)),
  "pulse: commands in env": helpers.env_has_wrapped_command.map((one) =>
    row(one.argv.join(" "), !one.wrapped),
  ),
  "pulse: methods of HTTP": helpers.http_method_mutates.map((one) =>
    row(`curl -X ${one.method.trim()} http://site.local/health`, !one.mutates),
  ),
  "pulse: addresses": helpers.curl_has_http_url
    .filter(({ yes }) => yes)
    .map((one) => row(["curl", ...one.argv].join(" "), true)),
  "pulse: options of wget": helpers.wget_write_or_mutation_option
    .filter(({ token }) => token !== "")
    .map((one) => row(`wget --spider ${one.token} http://site.local/health`, !one.yes)),
  "pulse: options of curl": helpers.curl_mutation_or_file_output
    .filter(({ command }) => /\bcurl\b/.test(command))
    .map((one) => row(one.command, !one.curl_mutates_or_writes_file)),
};

const ENDLESS = "It never ends, however few lines it begins with; in `timeout` it is a read.";
const ENVIRONMENT =
  "It shows the environment, where secrets stand, as `printenv` does, which the tables refuse.";
const READ_OF_GIT =
  "It only reads, and repositories are what an operator asks about; the table refuses all of git.";
const TWO_READS = "It only reads; the table asks a person for what is not on its list.";
const UNKNOWN_METHOD = "A method that no server need know is not known to only read.";

/** What we judge otherwise, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "tail -n 100 -f /var/log/syslog": ENDLESS,
  "journalctl -n 200 -f": ENDLESS,
  "/usr/bin/timeout 5s ls": "A path may lead to any file: only names of programs are known.",
  env: ENVIRONMENT,
  "env -i --null --help": ENVIRONMENT,
  "env --": ENVIRONMENT,
  "env -0": ENVIRONMENT,
  "env -": ENVIRONMENT,
  "env --null": ENVIRONMENT,
  "env --version": ENVIRONMENT,
  "env -u FOO": ENVIRONMENT,
  "env --chdir /tmp": ENVIRONMENT,
  "env -u": ENVIRONMENT,
  "env --unset=FOO": ENVIRONMENT,
  "env FOO=bar": ENVIRONMENT,
  "env FOO=": ENVIRONMENT,
  'env "-i"': ENVIRONMENT,
  "(ls)": "A subshell changes nothing, so what is in it is judged.",
  "git status": READ_OF_GIT,
  "git log -p -1": READ_OF_GIT,
  "git branch --show-current": READ_OF_GIT,
  "cat /proc/1/status": TWO_READS,
  "echo hello": TWO_READS,
  "df -h && echo ok": TWO_READS,
  "npm install":
    "It writes files and runs what strangers wrote; the table asks only whether it is dangerous.",
  "rm -rf /tmp/testdir": "It deletes; the table asks only whether it is dangerous.",
  "systemctl status ": "Without a name it shows the state of all.",
  "systemctl status nginx && cat /etc/passwd":
    "Both commands only read. A name never gets into a command of ours as text.",
  "curl -X get http://site.local/health":
    "Methods have upper and lower case: a server may take `get` for anything.",
  "curl -X TRACE http://site.local/health": UNKNOWN_METHOD,
  "curl -X BOGUS http://site.local/health": UNKNOWN_METHOD,
  "wget --spider --proxy http://site.local/health": "An option that is not known to only read.",
};

beforeAll(loadSqlParser);

describe.each(Object.entries(TABLES))("%s", (name, rows) => {
  const passes = ({ command, reads, writes }: Row) =>
    judgeCommand(command).effect === "read" ? reads : writes;

  it("is judged as it says, or otherwise with a reason", () => {
    const failed = rows.filter((one) => !passes(one)).map(({ command }) => command);
    console.log(`${name}: ${rows.length - failed.length} of ${rows.length} rows pass`);
    const excused = rows.map(({ command }) => command).filter((command) => Object.hasOwn(OTHERWISE, command));
    expect(failed.sort()).toEqual(excused.sort());
  });
});

describe("the reasons", () => {
  it("each belong to a row", () => {
    const commands = new Set(Object.values(TABLES).flatMap((rows) => rows.map(({ command }) => command)));
    expect(Object.keys(OTHERWISE).filter((command) => !commands.has(command))).toEqual([]);
  });
});

describe("what the reference was wrong about", () => {
  const judged = (reads: boolean) =>
    probes.filter(({ truth }) => (truth === "read_only") === reads).map((one) => judgeCommand(one.command));

  it("is accepted in no case and refused in at most one of ten", () => {
    const accepted = judged(false).filter(({ effect }) => effect === "read");
    const harmless = judged(true);
    const refused = harmless.filter(({ effect }) => effect === "write");
    console.log(`writes accepted: ${accepted.length} of ${probes.length - harmless.length}`);
    console.log(`harmless reads refused: ${refused.length} of ${harmless.length}`);
    expect(accepted).toEqual([]);
    expect(refused.length).toBeLessThanOrEqual(harmless.length / 10);
  });
});
