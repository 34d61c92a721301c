/**
 * Events as structured log lines. Secrets are taken out of everything that is written; passages and answers are
 * written for debug networks only.
 */
import { createLogger, format, type Logger, transports } from "winston";
import { type Clock, systemClock } from "../lib/clock.js";
import { printableJson } from "../lib/printable.js";
import { redactor } from "../lib/secrets.js";
import type { Subscriber } from "./events.js";
import { DEBUG_ONLY, LEVELS, type Level, levelOf } from "./levels.js";
import { LogSampler, SAMPLE_MS } from "./log-sampler.js";

export interface LogOptions {
  /** Production writes JSON from level info on; development writes for people, from level debug on. */
  readonly environment: "production" | "development";
  readonly level?: Level | undefined;
  /** Networks of which everything is logged, passages and answers too. */
  readonly debugNetworks: readonly string[];
  /** Strings that must never be written. */
  readonly secrets: readonly string[];
  /** Where lines go; standard error unless given, so that standard output stays with the command. */
  readonly stream?: NodeJS.WritableStream | undefined;
  readonly clock?: Clock;
  /** Told once, when the stream breaks: from then on nothing is written, and the service goes on. */
  readonly onBroken?: (error: Error) => void;
}

export interface Log {
  readonly logger: Logger;
  readonly subscriber: Subscriber;
  /** Secrets that came in place of the first ones are never written either. */
  readonly keepOut: (secrets: readonly string[]) => void;
}

/** A log for the service, and what feeds it with events. */
export function createLog(options: LogOptions): Log {
  const development = options.environment === "development";
  let redact = redactor(options.secrets);
  const line = development ? readableLine : jsonLine;
  const stream = options.stream ?? process.stderr;
  const written = options.level ?? (development ? "debug" : "info");
  const logger = createLogger({
    level: written,
    // Redacted and made visible as a finished line, so that nothing slips by in a field.
    format: format.combine(
      format.timestamp(),
      format.printf((info) => printableJson(redact(line(info)))),
    ),
    transports: [new transports.Stream({ stream })],
  });
  stream.on("error", (error) => {
    if (logger.silent) return;
    logger.silent = true;
    options.onBroken?.(error);
  });
  const debugNetworks = new Set(options.debugNetworks);
  const sampler = new LogSampler(options.clock ?? systemClock, ({ type, source, more }) =>
    logger.log("warn", "log_lines_left_out", { of: type, source, more, inMs: SAMPLE_MS }),
  );
  return {
    logger,
    keepOut: (secrets) => {
      redact = redactor([...options.secrets, ...secrets]);
    },
    subscriber(event) {
      const watched = "user" in event && event.user !== undefined && debugNetworks.has(event.user.network);
      if (DEBUG_ONLY.has(event.type) && !watched) return;
      const { type, ...rest } = event;
      if (type === "service_stopping") sampler.stop();
      const { user, ...details } = rest as { user?: object };
      const level = watched ? moreSevere(levelOf(event), written) : levelOf(event);
      // Winston would format and redact the line before it finds that nobody wants it.
      if (LEVELS.indexOf(level) > LEVELS.indexOf(written) || !sampler.admits(event)) return;
      logger.log(level, type, { ...user, ...details });
    },
  };
}

function moreSevere(one: Level, other: Level): Level {
  return LEVELS.indexOf(one) < LEVELS.indexOf(other) ? one : other;
}

type Line = Readonly<Record<string, unknown>> & { readonly level: string };

function jsonLine({ timestamp, level, message, ...details }: Line): string {
  return JSON.stringify({ time: timestamp, level, event: message, ...details }, brief);
}

function readableLine({ timestamp, level, message, ...details }: Line): string {
  const fields = Object.entries(details).map(([name, value]) => `${name}=${JSON.stringify(value, brief)}`);
  return [String(timestamp).slice(11, 23), level.toUpperCase().padEnd(5), message, ...fields].join(" ");
}

/** Milliseconds to the tenth are enough to read; the cost of an answer is a fraction of a cent. */
function brief(name: string, value: unknown): unknown {
  const perUnit = name === "costUsd" ? 1_000_000 : 10;
  return typeof value === "number" ? Math.round(value * perUnit) / perUnit : value;
}
