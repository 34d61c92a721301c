import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { ConnectionRoster } from "./connection-roster.js";

class FakeSocket extends EventEmitter {
  destroyed = false;
  waits = true;
  constructor(readonly remoteAddress: string) {
    super();
  }
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

function roster(connectionsMax: number, connectionsPerAddressMax: number) {
  const all = new ConnectionRoster<FakeSocket>({ connectionsMax, connectionsPerAddressMax });
  const add = (address: string) => {
    const socket = new FakeSocket(address);
    all.add(socket, () => socket.waits);
    return socket;
  };
  return { all, add };
}

const gone = (sockets: readonly FakeSocket[]) => sockets.map(({ destroyed }) => destroyed);

describe("connections that are too many", () => {
  it("of an address throw out its own that has waited longest", () => {
    const { all, add } = roster(10, 3);
    const other = add("10.0.0.9");
    const sockets = [add("10.0.0.1"), add("10.0.0.1"), add("10.0.0.1")];
    all.touch(sockets[0]!);
    add("10.0.0.1");
    expect(gone([other, ...sockets])).toEqual([false, false, true, false]);
    expect(all.size).toBe(4);
  });

  it("of all throw out one of the address that has the most", () => {
    const { all, add } = roster(4, 4);
    const other = add("10.0.0.9");
    const sockets = [add("10.0.0.1"), add("10.0.0.1"), add("10.0.0.1")];
    add("10.0.0.8");
    expect(gone([other, ...sockets])).toEqual([false, true, false, false]);
    expect(all.size).toBe(4);
  });

  it("do not throw out one that is being served; where all are, the newcomer is refused", () => {
    const { all, add } = roster(3, 2);
    const sockets = [add("10.0.0.1"), add("10.0.0.1")];
    for (const socket of sockets) socket.waits = false;
    expect(add("10.0.0.1").destroyed).toBe(true);
    const third = add("10.0.0.2");
    third.waits = false;
    expect(add("10.0.0.3").destroyed).toBe(true);
    expect(gone([...sockets, third])).toEqual([false, false, false]);
    sockets[1]!.destroy();
    expect(add("10.0.0.3").destroyed).toBe(false);
    expect(all.size).toBe(3);
  });

  it("count as one address throughout a network of IPv6, and for each spelling of IPv4", () => {
    const { add } = roster(10, 1);
    const pairs = [
      ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true],
      ["2001:db8::1", "2001:db8:0:0:1::", true],
      ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
      ["::1", "::2", true],
      ["10.0.0.1", "::ffff:10.0.0.1", true],
    ] as const;
    for (const [one, other, same] of pairs) {
      const { add } = roster(10, 1);
      const first = add(one);
      add(other);
      expect([one, other, first.destroyed]).toEqual([one, other, same]);
    }
    expect(add("10.0.0.1").destroyed).toBe(false);
  });
});
