/** Limits that no test meets by accident; and announcements where none is made. */
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

export const announce: RunAnnouncement = () => Promise.reject(new Error("nothing is announced here"));
