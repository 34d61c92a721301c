/** The only door to chance: seeded in tests, the system's elsewhere. */
import { randomBytes } from "node:crypto";

export interface Random {
  /** A number in [0, 1). */
  fraction(): number;
  /** A new identifier: 16 lower-case hexadecimal digits. */
  id(): string;
}

export const systemRandom: Random = {
  fraction: () => Math.random(),
  id: () => randomBytes(8).toString("hex"),
};
