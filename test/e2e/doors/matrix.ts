/** The keys, the doors and the claims of the matrix in docs/security.md, and what a running service makes of them. */
import { VirtualClock } from "../../support/virtual-clock.js";
import type { World } from "../world.js";
import {
  address,
  all,
  documents,
  type GrpcClient,
  grpc,
  metadata,
  offline,
  post,
  QUESTION,
  ROUTE,
} from "./ask.js";

const TOKEN = "kiosk-token-0123456789-abcdef";
const ANN = { network: "acme", username: "ann" } as const;
const GROUP_QUESTION = "What opens the payroll safe?";

interface Key {
  readonly name: string;
  readonly secret?: string;
  /** What the settings bind it to; absent: it is not among them. */
  readonly bound?: object;
}

/** `features` and `mode` have the values that the columns call "the same". */
export const KEYS: readonly Key[] = [
  { name: "none, this machine" },
  { name: "wrong", secret: "wrong-key-0123456789" },
  { name: "unbound", secret: "unbound-key-0123456789", bound: {} },
  { name: "network", secret: "network-key-0123456789", bound: { networks: ["acme"] } },
  { name: "user", secret: "user-key-0123456789", bound: { username: "ann" } },
  { name: "groups", secret: "groups-key-0123456789", bound: { groups: ["managers"] } },
  { name: "features", secret: "features-key-0123456789", bound: { features: ["kiosk"] } },
  { name: "mode", secret: "mode-key-0123456789", bound: { mode: "ai_onboarding" } },
  {
    name: "unanswered",
    secret: "unanswered-key-0123456789",
    bound: { networks: ["acme"], unanswered: true },
  },
  { name: "kiosk token", secret: TOKEN },
];

export const CLAIMS: readonly { readonly name: string; readonly claims: object }[] = [
  { name: "nothing", claims: {} },
  { name: "acme, ann", claims: ANN },
  { name: "other network", claims: { ...ANN, network: "other" } },
  { name: "other user", claims: { ...ANN, username: "bob" } },
  { name: "same groups", claims: { ...ANN, groups: ["managers"] } },
  { name: "other groups", claims: { ...ANN, groups: ["directors"] } },
  { name: "same features", claims: { ...ANN, features: ["kiosk"] } },
  { name: "no features", claims: { ...ANN, features: [] } },
  { name: "other features", claims: { ...ANN, features: ["beta"] } },
  { name: "same mode", claims: { ...ANN, mode: "ai_onboarding" } },
  { name: "other mode", claims: { ...ANN, mode: "quiz" } },
];

/** What a request gets: an HTTP status, or the one that it would have. */
type Probe = (world: World, key: Key, claims: object) => Promise<number>;

export const DOORS: readonly { readonly name: string; readonly probe: Probe }[] = [
  {
    name: "answers",
    probe: (world, key, claims) => posted(world, "/api/v1/answers", key, { ...asked(claims), ...claims }),
  },
  {
    name: "OpenAI",
    probe: (world, key, claims) =>
      posted(world, "/v1/chat/completions", key, chat(JSON.stringify(claims), claims)),
  },
  { name: "Ollama", probe: (world, key, claims) => posted(world, "/api/chat", key, chat(claims, claims)) },
  { name: "gRPC", probe: called },
  {
    name: "suggestions",
    probe: async (world, key, claims) => {
      const query = Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, String(value)]));
      const path = `/api/v1/suggested_questions?${new URLSearchParams(query)}`;
      return statusOf(await fetch(address(world, path), { headers: headersOf(key) }));
    },
  },
  {
    name: "summaries",
    probe: (world, key, claims) =>
      posted(world, "/api/v1/summaries", key, { text: "The hall is closed on Monday.", ...claims }),
  },
  {
    name: "checks",
    probe: (world, key, claims) =>
      posted(world, "/api/v1/checks", key, { text: "It is on.", passages: [], ...claims }),
  },
  {
    name: "evaluations",
    probe: async (world, key, claims) => {
      const query = new URLSearchParams(Object.fromEntries(Object.keys(claims).map((name) => [name, "x"])));
      const response = fetch(address(world, `/api/v1/evaluations?${query}`), { headers: headersOf(key) });
      return statusOf(await response);
    },
  },
  {
    name: "unanswered",
    probe: async (world, key, claims) => {
      const { network } = { network: undefined, ...claims };
      const query = new URLSearchParams(network === undefined ? {} : { network });
      const response = fetch(address(world, `/api/v1/unanswered_questions?${query}`), {
        headers: headersOf(key),
      });
      return statusOf(await response);
    },
  },
  {
    name: "kiosk",
    probe: async (world, key, claims) => {
      const body = JSON.stringify({ text: QUESTION, session: "s", ...claims });
      const headers = { ...headersOf(key), "content-type": "application/json" };
      const url = `http://127.0.0.1:${world.ports.kiosk}/kiosk/api/ask`;
      return statusOf(await fetch(url, { method: "POST", headers, body }));
    },
  },
];

/** One service with the keys, and one without any. */
export async function worlds(): Promise<{ readonly clock: VirtualClock; readonly of: (key: Key) => World }> {
  const clock = new VirtualClock();
  const kiosks = [{ token: TOKEN, network: "acme", username: "kiosk-1", features: ["kiosk"] }];
  const config = { "http.kiosks": kiosks, "http.kiosk_port": 0 };
  const keys = KEYS.flatMap(({ bound, secret }) => (bound === undefined ? [] : [{ key: secret, ...bound }]));
  const open = await offline({ clock, config });
  const locked = await offline({ clock, config: { ...config, "http.api_keys": keys }, documents });
  return { clock, of: ({ secret }) => (secret === undefined ? open : locked) };
}

/** Its status, or who asked in the end; `∅` where the document that was asked for is not for this user. */
export async function cellOf(world: World, key: Key, probe: Probe, claims: object): Promise<string> {
  const before = world.eventsOf("turn_finished").length;
  const status = await probe(world, key, claims);
  const [turn] = world.eventsOf("turn_finished").slice(before);
  if (status !== 200) return String(status);
  if (turn === undefined) return "yes";
  const { network, username } = turn.user;
  const who = network === ANN.network ? username : `${username}@${network}`;
  return turn.result === "answered" ? who : `${who} ∅`;
}

function headersOf({ secret }: Key): Record<string, string> {
  return { connection: "close", ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }) };
}

async function posted(world: World, path: string, key: Key, body: object): Promise<number> {
  return statusOf(await post(world, path, body, { headers: headersOf(key) }));
}

async function statusOf(response: Response): Promise<number> {
  await response.text();
  return response.status;
}

function questionOf(claims: object): string {
  return "groups" in claims ? GROUP_QUESTION : QUESTION;
}

function asked(claims: object): object {
  return { text: questionOf(claims), route: ROUTE };
}

function chat(user: unknown, claims: object): object {
  const messages = [{ role: "user", content: questionOf(claims) }];
  return { model: "readback", messages, user, stream: false };
}

/** gRPC's codes as the statuses that HTTP has for the same reasons. */
const STATUS_OF_CODE: Readonly<Record<number, number>> = { 3: 400, 7: 403, 16: 401 };

const clients = new WeakMap<World, GrpcClient>();

async function called(world: World, { secret }: Key, claims: object): Promise<number> {
  const { features = [], ...rest } = claims as { features?: string[] };
  const bearer: Record<string, string> = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
  const request = { query: questionOf(claims), query_type: ROUTE, ...rest, features };
  const client = clients.get(world) ?? grpc(world);
  clients.set(world, client);
  try {
    await all(client.AskAgent(request, metadata(bearer)));
    return 200;
  } catch (error) {
    return STATUS_OF_CODE[(error as { code: number }).code] ?? 500;
  }
}
