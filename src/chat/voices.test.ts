import { describe, expect, it } from "vitest";
import { workFor } from "../lib/origin.js";
import { ROOMY } from "./limits.test-util.js";
import { type VoiceHold, type VoiceLimits, Voices } from "./voices.js";

class Bench {
  readonly givenUp: string[] = [];
  readonly voices: Voices;

  constructor(limits: Partial<VoiceLimits>) {
    this.voices = new Voices({ ...ROOMY, ...limits });
  }

  hold(peer: string, connection: string, name: string): VoiceHold {
    return workFor([peer, connection, name], () => this.voices.hold(() => this.givenUp.push(name)));
  }
}

describe("voices", () => {
  it("are so many on a connection: the oldest there is given up", () => {
    const bench = new Bench({ voicesPerConnectionMax: 2 });
    for (const name of ["a", "b", "c"]) bench.hold("relay", "1", name);
    bench.hold("relay", "2", "d");
    expect(bench.givenUp).toEqual(["a"]);
    expect(bench.voices.count).toBe(3);
  });

  it("are so many in all: the oldest is given up of the peer that has most", () => {
    const bench = new Bench({ voicesMax: 3 });
    bench.hold("quiet", "1", "quiet");
    for (const name of ["a", "b", "c"]) bench.hold("loud", name, name);
    expect(bench.givenUp).toEqual(["a"]);
  });

  it("come to so many bytes: the oldest is given up of the peer that holds most of them", () => {
    const bench = new Bench({ voiceBytesMax: 1_000 });
    const small = Array.from({ length: 5 }, (_, i) => bench.hold("quiet", "1", `quiet-${i}`));
    for (const hold of small) hold.grow(20);
    for (const name of ["a", "b"]) bench.hold("loud", "1", name).grow(450);
    expect(bench.givenUp).toEqual([]);
    small[0]!.grow(20);
    expect(bench.givenUp).toEqual(["a"]);
    expect(bench.voices.bytes).toBe(570);
  });

  it("leave nothing behind", () => {
    const bench = new Bench({ voicesMax: 2 });
    const holds = ["a", "b", "c"].map((name) => bench.hold("relay", "1", name));
    for (const hold of holds) {
      hold.grow(10);
      hold.release();
      hold.release();
    }
    expect([bench.voices.count, bench.voices.bytes]).toEqual([0, 0]);
    expect(bench.givenUp).toEqual(["a"]);
  });
});
