/** Limits that no test meets by accident; and announcements where none is made. */
import { Admission, type AdmissionDeps, type AdmissionLimits } from "./admission.js";
import type { RunAnnouncement } from "./chat.js";
import type { RegistryOptions } from "./registry.js";

export const ROOMY: RegistryOptions = {
  inactivityMsMax: 600_000,
  chatsMax: 1_000,
  chatsPerNetworkMax: 1_000,
  chatsPerConnectionMax: 1_000,
  voicesMax: 1_000,
  voicesPerConnectionMax: 1_000,
  voiceBytesMax: 2 ** 30,
};

/** An admission that lets in as many as any test asks for, but for what is given. */
export function admissionOf(deps: AdmissionDeps, limits: Partial<AdmissionLimits> = {}): Admission {
  return new Admission(
    { turnsRunningMax: 100, turnsWaitingMax: 100, turnWaitMsMax: 60_000, ...limits },
    deps,
  );
}

export const announce: RunAnnouncement = () => Promise.reject(new Error("nothing is announced here"));
