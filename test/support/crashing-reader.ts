/** A reading process for the tests of `ReadPool` that starts, and dies of whatever it is to read. */
import { serveReader } from "../../src/ingest/reader-child.js";

serveReader(() => process.exit(7));
