/** The module that a reading process runs; see reader-child.ts. */
import { readInChild, serveReader } from "./reader-child.js";

serveReader(readInChild);
