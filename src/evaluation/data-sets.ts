/** The data sets of a folder, by name: `golden` is `golden.jsonl` or `golden.json` in it. */
import { readdir, readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { DataSet } from "./data-set.js";
import { type DataSetLimits, readDataSetFile } from "./read-data-set.js";

/** There is no data set of that name. */
export class UnknownDataSet extends Error {
  override readonly name = "UnknownDataSet";
  constructor(
    asked: string,
    readonly names: readonly string[],
  ) {
    const there = names.length === 0 ? "there is none" : `there are ${names.join(", ")}`;
    super(`there is no data set "${asked}"; ${there}`);
  }
}

const ENDINGS = [".jsonl", ".json"];

export class DataSets {
  constructor(
    /** Absent: there are none. */
    private readonly directory: string | undefined,
    private readonly limits: DataSetLimits,
  ) {}

  async names(): Promise<readonly string[]> {
    return [...(await this.#files()).keys()].sort();
  }

  /** Rejects with `UnknownDataSet` or `DataSetProblem`. What is named is looked up in the folder, never made a path. */
  async open(name: string): Promise<DataSet> {
    const files = await this.#files();
    const path = files.get(name);
    if (path === undefined) throw new UnknownDataSet(name, [...files.keys()].sort());
    return readDataSetFile(path, await readFile(path, "utf8"), this.limits);
  }

  async #files(): Promise<ReadonlyMap<string, string>> {
    const { directory } = this;
    if (directory === undefined) return new Map();
    const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    });
    const files = entries
      .filter((entry) => entry.isFile() && ENDINGS.includes(extname(entry.name)))
      .toReversed();
    return new Map(files.map(({ name }) => [basename(name, extname(name)), join(directory, name)]));
  }
}
