/** Capabilities for tests of turns: drafts that a test gives, under their names and with the usual limits. */
import {
  type Capabilities,
  type Capability,
  type CapabilityName,
  type Draft,
  USUAL_LIMITS,
} from "../../src/capability/capability.js";

export function capability(
  name: CapabilityName,
  draft: Draft,
  more: Partial<Pick<Capability, "limits" | "heard">> = {},
): Capability {
  return { name, limits: USUAL_LIMITS, draft, ...more };
}

/** All of them, each drafted by what `draftOf` gives for its name. */
export function capabilities(draftOf: (name: CapabilityName) => Draft): Capabilities {
  const one = (name: CapabilityName) => capability(name, draftOf(name));
  return {
    knowledge: one("knowledge"),
    conversational: one("conversational"),
    platform: one("platform"),
    introduction: one("introduction"),
    repeat: one("repeat"),
    slower: one("slower"),
    source: one("source"),
    emergency: one("emergency"),
  };
}
