/** What users say: Opus packets as a phone sends them. All of it is made before the simulation begins. */
import { OpusPacketEncoder } from "@readback/audio";
import type { PacketDurationMs } from "@readback/protocol";
import type { PlannedStep, ScenarioPlan } from "./plan.js";

/** A voice message, ready to be sent. Mono. */
export interface SimulatedVoice {
  readonly sampleRateHz: number;
  readonly packetMs: PacketDurationMs;
  readonly packets: readonly Uint8Array[];
}

/** Who speaks for the users. */
export interface Mouth {
  speak(text: string): Promise<SimulatedVoice>;
  /** An Ogg Opus file, by the name that the scenario gives it. */
  play(file: string): Promise<SimulatedVoice>;
}

const SILENCE = { sampleRateHz: 16_000, packetMs: 60 } as const;

/** Everything that is said in a plan, each once. */
export class Utterances {
  readonly #texts = new Map<string, SimulatedVoice>();
  readonly #files = new Map<string, SimulatedVoice>();

  static async prepare(plan: ScenarioPlan, mouth: Mouth): Promise<Utterances> {
    const utterances = new Utterances();
    for (const { action } of stepsOf(plan)) {
      if (action.type === "say" && !utterances.#texts.has(action.text))
        utterances.#texts.set(action.text, await mouth.speak(action.text));
      if (action.type === "play" && !utterances.#files.has(action.file))
        utterances.#files.set(action.file, await mouth.play(action.file));
    }
    return utterances;
  }

  /** What is said in a step; undefined where nothing is. */
  of({ action }: PlannedStep): SimulatedVoice | undefined {
    switch (action.type) {
      case "say":
        return this.#texts.get(action.text);
      case "play":
        return this.#files.get(action.file);
      case "press":
        return silence(action.forMs);
      default:
        return undefined;
    }
  }
}

function* stepsOf({ users }: ScenarioPlan): Generator<PlannedStep> {
  for (const { activities } of users) for (const { steps } of activities) yield* steps;
}

/** So many packets as fit into the time: of a button that is only touched, none. */
function silence(forMs: number): SimulatedVoice {
  const count = Math.floor(forMs / SILENCE.packetMs);
  if (count === 0) return { ...SILENCE, packets: [] };
  const samples = (count * SILENCE.packetMs * SILENCE.sampleRateHz) / 1_000;
  return { ...SILENCE, packets: new OpusPacketEncoder(SILENCE).encode(new Int16Array(samples)) };
}
