/** Reads the golden vectors. */
import { readdirSync, readFileSync } from "node:fs";
import type { DecodingResult } from "./naive.test-util.js";

const GOLDEN = new URL("../golden/", import.meta.url);

export interface EnvelopeVector {
  readonly name: string;
  readonly clauses: readonly string[];
  readonly bytes: Buffer;
  readonly expect: DecodingResult;
}

/** What a command frame means; which fields there are depends on the direction. */
export interface CommandExpectation {
  readonly command?: object;
  readonly route?: object;
  readonly refused?: string;
  readonly identity?: object;
  readonly connection_id?: string;
  readonly request_id?: string;
}

export interface CommandVector {
  readonly name: string;
  readonly clauses: readonly string[];
  readonly bytes: Buffer;
  readonly expect: CommandExpectation;
}

export const envelopeVectors = read<EnvelopeVector>("envelope");
export const relayVectors = read<CommandVector>("relay");
export const serviceVectors = read<CommandVector>("service");

function read<Vector>(group: string): readonly Vector[] {
  const folder = new URL(`${group}/`, GOLDEN);
  return readdirSync(folder).map((file) => {
    const { hex, ...rest } = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
    return { name: file.replace(/\.json$/, ""), bytes: Buffer.from(hex, "hex"), ...rest };
  });
}
