/** What somebody asked for cannot be done as they wrote it: a setting, an argument, a file. */

/** The message is for the person who wrote it, and may have several lines. */
export class UsageProblem extends Error {
  override readonly name: string = "UsageProblem";
}
