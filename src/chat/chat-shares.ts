/**
 * Who holds how many chats: the relay, its connection, the network. Where there is no room for one more, the chat that
 * has been silent longest gives way, of whoever holds most; one that is answering or listening does not.
 */
import { Holders } from "../lib/holders.js";
import type { Origin } from "../lib/origin.js";
import type { Chat } from "./chat.js";

export interface ChatLimits {
  /** Chats at once. */
  readonly chatsMax: number;
  readonly chatsPerNetworkMax: number;
  readonly chatsPerConnectionMax: number;
}

/** There is room, or there is if `gives` goes, or there is none. */
export type ChatRoom = "free" | "full" | { readonly gives: Chat };

export class ChatShares {
  readonly #peers = new Holders<Chat>();
  readonly #connections = new Holders<Chat>();
  /** By network, the peers that hold its chats. */
  readonly #networks = new Map<string, { size: number; readonly peers: Holders<Chat> }>();
  readonly #chats = new Set<Chat>();

  constructor(private readonly limits: ChatLimits) {}

  /** Networks with at least one chat. */
  get networks(): number {
    return this.#networks.size;
  }

  /** Whether one more chat of `network` can be opened by `origin`. */
  roomFor(network: string, [peer, connection]: Origin): ChatRoom {
    const { chatsMax, chatsPerConnectionMax, chatsPerNetworkMax } = this.limits;
    const ofNetwork = this.#networks.get(network);
    if (this.#connections.count(holderName(peer, connection)) >= chatsPerConnectionMax)
      return roomFrom(this.#connections, holderName(peer, connection));
    if ((ofNetwork?.size ?? 0) >= chatsPerNetworkMax)
      return roomFrom(ofNetwork!.peers, ofNetwork!.peers.largest());
    if (this.#chats.size >= chatsMax) return roomFrom(this.#peers, this.#peers.largest());
    return "free";
  }

  /** `chat` is opened, or has been given a message: it is the last to go. */
  use(chat: Chat): void {
    const [peer, connection] = chat.origin;
    const { network } = chat.user;
    const ofNetwork = this.#networks.get(network) ?? { size: 0, peers: new Holders<Chat>() };
    if (!this.#chats.has(chat)) ofNetwork.size++;
    this.#networks.set(network, ofNetwork);
    this.#chats.add(chat);
    this.#peers.use(peer, chat);
    this.#connections.use(holderName(peer, connection), chat);
    ofNetwork.peers.use(peer, chat);
  }

  drop(chat: Chat): void {
    if (!this.#chats.delete(chat)) return;
    const [peer, connection] = chat.origin;
    const { network } = chat.user;
    const ofNetwork = this.#networks.get(network)!;
    ofNetwork.size--;
    ofNetwork.peers.drop(peer, chat);
    if (ofNetwork.size === 0) this.#networks.delete(network);
    this.#peers.drop(peer, chat);
    this.#connections.drop(holderName(peer, connection), chat);
  }
}

function holderName(peer: string, connection: string): string {
  return `${peer}\u0000${connection}`;
}

function roomFrom(holders: Holders<Chat>, holder: string | undefined): ChatRoom {
  const gives = holders.oldestOf(holder, ({ idle }) => idle);
  return gives === undefined ? "full" : { gives };
}
