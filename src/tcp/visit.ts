/** What the handler of a command is given. */
import type { HelloReply, RelayCommand } from "@readback/protocol";
import type { ChatRegistry } from "../chat/registry.js";
import type { User } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import type { Random } from "../lib/random.js";
import type { Telemetry } from "../telemetry/events.js";
import type { Overview } from "../turn/overview.js";
import type { RelayLink } from "./relay-link.js";
import type { RelayTokens } from "./relay-tokens.js";
import type { UserOutlet } from "./user-outlet.js";

export interface DispatchDeps {
  readonly clock: Clock;
  readonly chats: ChatRegistry;
  readonly overview: Overview;
  /** What the answer to `hello` says; it may change with the tokens. */
  readonly greeting: () => HelloReply;
  readonly random: Random;
  readonly telemetry: Telemetry;
  readonly tokens: RelayTokens;
}

export type UserCommand = Exclude<RelayCommand, { command: "keep_alive" | "hello" }>;

/** A command about a user, with where that user was seen. What its handler throws as `TurnFailure`, it is refused with. */
export interface Visit<C> {
  readonly command: C;
  readonly user: User;
  readonly outlet: UserOutlet;
  readonly link: RelayLink;
}
