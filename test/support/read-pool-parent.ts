/**
 * A process that reads one file with a `ReadPool`, for tests that end the process: `node read-pool-parent.js <module of
 * the reading process> <name> <path>`. Writes the result to its standard output when there is one.
 */
import { pathToFileURL } from "node:url";
import { ReadPool } from "../../src/ingest/read-pool.js";
import { systemClock } from "../../src/lib/clock.js";
import { ingestDefaults } from "./default-options.js";

const [child, name, path] = process.argv.slice(2) as [string, string, string];
const pool = new ReadPool(ingestDefaults(), systemClock, pathToFileURL(child));
const job = { path, name, bytes: new TextEncoder().encode("One."), described: undefined };
const result = await pool.read(job, new AbortController().signal);
process.stdout.write(JSON.stringify(result));
// The pool is not closed: idle processes keep nobody alive.
