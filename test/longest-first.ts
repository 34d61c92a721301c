/** Begins with the files that take longest, so that none of them is left over at the end: a file's size says little of that. */
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONGEST } from "./tiers.js";

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
      return at === -1 ? LONGEST.length : at;
    };
    const order = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => order(one) - order(other) || place(one) - place(other));
  }
}
