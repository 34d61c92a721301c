/** What each tool that a model must call first takes besides its own arguments: whether the message tells of an emergency. */

/** A boolean that may be left out. `prompts/emergency-argument.md` tells the model what it means. */
export const EMERGENCY_ARGUMENT = "emergency";
