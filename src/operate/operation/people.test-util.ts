/** Who meets an operation while it is explored. */
import type { User } from "../../domain/user.js";

export const ANN: User = { network: "plant", username: "ann" };
export const BEN: User = { network: "plant", username: "ben" };
export const CLEO: User = { network: "plant", username: "cleo" };
/** Has Ben's name, in another network. */
export const OTHER_BEN: User = { network: "depot", username: "ben" };
export const PEOPLE = [ANN, BEN, CLEO, OTHER_BEN];

export const keyOf = ({ network, username }: User) => `${network}/${username}`;
