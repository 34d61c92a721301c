/** Arguments that are programs or addresses of their own: whether what they say only reads. */
import { pattern } from "../../lib/pattern.js";
import { judgeMysql, judgePsql, judgeSqlite } from "./sql.js";
import { type CommandVerdict, READS_BY_CONTENT, refuse } from "./verdict.js";

/** What the table of programs calls them by. */
export const CONTENT = {
  psql: judgePsql,
  mysql: judgeMysql,
  sqlite: judgeSqlite,
  awk: judgeAwk,
  sed: judgeSed,
  jq: refusing(/(?<!\.)\benv\b|\$ENV|\b(?:import|include)\b/, "the jq filter"),
  url: matching(statusUrl(), "an address that is not one of status"),
  header: matching(/^(?:Accept|Host|User-Agent|Cache-Control): ?[^@\r\n]*$/i, "the header"),
  writeOut: matching(/^(?:[^%@\\{}]|\\n|%\{(?!output)[a-z_]+\})*$/, "the output format"),
  printf: matching(/^(?:[^%]|%%|%[-+ 0#]*(?:[1-9]\d*)?(?:\.\d+)?[sdifxXocbqeEgGu])*$/, "the format"),
  inspect: matching(inspectFormat(), "the format, which may show secrets of the environment,"),
  resource: refusing(/secret/i, "the resource"),
  columns: matching(/^(?!.*env)[\w%,:=-]+$/, "the columns"),
  word: matching(/^[\w.-]+$/, "the connection"),
} satisfies Readonly<Record<string, (text: string) => CommandVerdict>>;

export type ContentName = keyof typeof CONTENT;

function matching(known: RegExp, what: string): (text: string) => CommandVerdict {
  return (text) => (known.test(text) ? READS_BY_CONTENT : refuse(`${what} is not known to only read`));
}

function refusing(doubtful: RegExp, what: string): (text: string) => CommandVerdict {
  return (text) => (doubtful.test(text) ? refuse(`${what} may show or load other things`) : READS_BY_CONTENT);
}

/**
 * An awk program writes by `print` and `printf` with `>`, by a pipe, `system` or an `@` of gawk. It is not parsed: where
 * one of these characters stands in a string or a regular expression, the program is refused as well.
 */
function judgeAwk(program: string): CommandVerdict {
  const print = program.indexOf("print");
  const isDoubtful =
    /\bsystem\b|getline|ENVIRON|PROCINFO|\bextension\b|@|\\\r?\n/.test(program) ||
    program.replaceAll("||", "").includes("|") ||
    (print >= 0 && program.indexOf(">", print) >= 0);
  return isDoubtful ? refuse("the awk program may write or run something") : READS_BY_CONTENT;
}

/**
 * Printing, deleting and replacing lines; not `w`, `e` and `r`, nor the flags `w` and `e` of `s`. Whether a delimiter in
 * brackets ends an expression depends on the sed, so there is none.
 */
function sedCommand(): RegExp {
  const expression = (mark: string) =>
    String.raw`(?:[^${mark}\\\n[]|\\[^\n]|\[(?:\[:\w+:\]|[^\][${mark}\\\n])+\])`;
  const address = String.raw`(?:\d+(?:~\d+)?|\$|/${expression("/")}+/I?)`;
  const replacing = ["/", "|", "#", ",", ":"].map((mark) => {
    const escaped = mark === "|" ? "\\|" : mark;
    return String.raw`s${escaped}${expression(mark)}*${escaped}(?:[^${mark}\\\n]|\\[^\n])*${escaped}[gpiI0-9]*`;
  });
  const command = String.raw`(?:${address}(?:,(?:${address}|\+\d+))?)?!?(?:[pdnNhHgGxDPl=]|q\d*|${replacing.join("|")})`;
  return new RegExp(`${command}(?: ?; ?|$)`, "y");
}

const SED_COMMAND = sedCommand();

function judgeSed(text: string): CommandVerdict {
  const script = text.trim();
  SED_COMMAND.lastIndex = 0;
  do {
    if (!SED_COMMAND.test(script)) return refuse("the sed script is not known to only read");
  } while (SED_COMMAND.lastIndex < script.length);
  return READS_BY_CONTENT;
}

/**
 * A GET is meant to change nothing, but `/api/restart` does. So the last part of the path must be one by which services
 * tell how they are, and there is no query. A host alone will do.
 */
function statusUrl(): RegExp {
  return pattern("i")`
^(?:https?://)?(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d+)?
(?:/|(?:/[\w.-]+){0,6}/(?:
health|healthz|healthy|-/healthy|-/ready|live|livez|liveness|ready|readyz|readiness|status|server-status|metrics|version|ping|info|up
)/?)?$`;
}

/** A template of Docker for fields in which no environment stands. */
function inspectFormat(): RegExp {
  return pattern()`
^(?:[^{}]|\{\{ *(?:json |len )?\.(?:
State|Name|Id|Image|Created|RestartCount|NetworkSettings|Mounts|Platform|SizeRw
|HostConfig\.(?:RestartPolicy|Memory|NanoCpus|Binds|NetworkMode|PortBindings)
|Config\.(?:Image|Hostname|Labels|ExposedPorts|Healthcheck)
)(?:\.\w+)* *\}\})+$`;
}

const REDIS_READS = new Set(
  `PING INFO DBSIZE TIME LASTSAVE ROLE GET MGET STRLEN GETRANGE TYPE TTL PTTL EXISTS KEYS SCAN RANDOMKEY HGET HGETALL
  HMGET HKEYS HVALS HLEN HEXISTS HSCAN LLEN LRANGE LINDEX SCARD SMEMBERS SISMEMBER SSCAN ZCARD ZRANGE ZREVRANGE ZSCORE
  ZRANK ZCOUNT ZRANGEBYSCORE ZSCAN XLEN XRANGE XREVRANGE BITCOUNT PFCOUNT EXPIRETIME ECHO COMMAND LOLWUT`.split(
    /\s+/,
  ),
);
const REDIS_SUBCOMMANDS = pattern("i")`
^(?:
CLIENT (?:LIST|INFO|ID|GETNAME)|CLUSTER (?:INFO|NODES|SLOTS|SHARDS|MYID)|MEMORY (?:USAGE|STATS|DOCTOR)
|SLOWLOG (?:GET|LEN)|LATENCY (?:LATEST|HISTORY|DOCTOR)|OBJECT (?:ENCODING|FREQ|IDLETIME|REFCOUNT)
|XINFO (?:STREAM|GROUPS|CONSUMERS)|PUBSUB (?:CHANNELS|NUMSUB|NUMPAT)|MODULE LIST|ACL WHOAMI
|CONFIG GET (?!.*(?:pass|auth|key|[*?[]))[\w-]+
)(?: |$)`;

/** Whether a command of Redis only reads: the words that are given to `redis-cli`. */
export function judgeRedis(words: readonly string[]): CommandVerdict {
  const reads = REDIS_READS.has((words[0] ?? "").toUpperCase()) || REDIS_SUBCOMMANDS.test(words.join(" "));
  return reads ? READS_BY_CONTENT : refuse(`redis-cli ${words[0] ?? ""} is not known to only read`);
}
