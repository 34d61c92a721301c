/**
 * The gRPC door: the methods of `proto/brunix.proto` on the same turn as everybody's, with reflection and the health
 * service that gRPC's tools know. Its port is an ordinary listener that hands connections over, so that limits and
 * errors are those of the other doors.
 */
import { once } from "node:events";
import type { Server as NetServer, Socket } from "node:net";
import {
  type ConnectionInjector,
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceClientConstructor,
  type sendUnaryData,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { ReflectionService } from "@grpc/reflection";
import { isBound } from "../api/api-keys.js";
import type { CallerAskDeps } from "../api/ask.js";
import type { DefaultUser } from "../api/claims.js";
import { Rejection } from "../api/rejection.js";
import { tellInPieces, tellWhole } from "../api/tell.js";
import { type ListenAddress, listen } from "../lib/listen.js";
import { PortGate } from "../lib/port-gate.js";
import { shippedPath } from "../lib/shipped-files.js";
import { answerCall, type CallDeps, send } from "./call.js";
import { Callers } from "./callers.js";
import type { Evaluator } from "./evaluator.js";
import {
  type AgentRequest,
  type AgentResponse,
  type EvalRequest,
  evalResponse,
  evaluationOf,
  finalResponse,
  questionOf,
} from "./messages.js";

/** Longest message that is read. */
const MESSAGE_BYTES_MAX = 1_048_576;
const CALLS_PER_CONNECTION_MAX = 100;
/** A connection without a call for this long is closed. */
const CONNECTION_IDLE_MS_MAX = 300_000;

/** How long calls under way may take to finish when the door closes. */
const CLOSE_GRACE_MS = 1_000;

const PROTO_DIR = shippedPath("proto/");

/** What this door is handed, besides what it makes itself. */
export interface GrpcDeps extends Omit<CallDeps, "callers">, CallerAskDeps {
  readonly otherwise: DefaultUser;
  /** Absent: nothing is evaluated here. */
  readonly evaluate: Evaluator | undefined;
}

type MethodDeps = GrpcDeps & CallDeps;

type AskCall = ServerWritableStream<AgentRequest, AgentResponse>;

export class GrpcServer {
  readonly #server: Server;
  readonly #listener: NetServer;
  readonly #connections: ConnectionInjector;
  readonly #callers = new Callers();

  constructor(
    private readonly address: ListenAddress,
    private readonly deps: GrpcDeps,
    gate = new PortGate(),
  ) {
    this.#server = createGrpc({ ...deps, callers: this.#callers });
    this.#connections = this.#server.createConnectionInjector(ServerCredentials.createInsecure());
    const take = (socket: Socket) => {
      if (this.#callers.add(socket)) this.#connections.injectConnection(socket);
    };
    this.#listener = gate.server(take, ["h2"]);
  }

  /** Resolves with the port in use; rejects with `AddressUnavailable`. */
  async listen(): Promise<number> {
    const port = await listen(this.#listener, this.address);
    this.#listener.on("error", (error) =>
      this.deps.telemetry.emit({ type: "service_fault", where: "grpc", error: String(error) }),
    );
    return port;
  }

  /** Takes no more connections and calls, and lets those under way finish for a while. */
  async close(): Promise<void> {
    if (!this.#listener.listening) return;
    const closed = once(this.#listener, "close");
    this.#listener.close();
    const cut = () => {
      this.#server.forceShutdown();
      this.#callers.destroyAll();
    };
    const timer = this.deps.clock.after(CLOSE_GRACE_MS, cut);
    await new Promise<void>((resolve) => this.#server.tryShutdown(() => resolve()));
    await closed;
    timer.cancel();
  }
}

function createGrpc(deps: MethodDeps): Server {
  const definition = loadSync(["brunix.proto", "health.proto"], {
    includeDirs: [PROTO_DIR],
    keepCase: true,
    defaults: true,
    longs: Number,
    enums: String,
  });
  const loaded = loadPackageDefinition(definition) as unknown as {
    readonly brunix: { readonly AssistanceEngine: ServiceClientConstructor };
    readonly grpc: { readonly health: { readonly v1: { readonly Health: ServiceClientConstructor } } };
  };
  const server = new Server({
    "grpc.max_receive_message_length": MESSAGE_BYTES_MAX,
    "grpc.max_concurrent_streams": CALLS_PER_CONNECTION_MAX,
    "grpc.max_connection_idle_ms": CONNECTION_IDLE_MS_MAX,
  });
  server.addService(loaded.brunix.AssistanceEngine.service, {
    AskAgent: (call: AskCall) => void streamed(call, deps, askWhole),
    AskAgentStream: (call: AskCall) => void streamed(call, deps, askStream),
    EvaluateRAG: (call: ServerUnaryCall<EvalRequest, object>, done: sendUnaryData<object>) =>
      void evaluate(call, done, deps),
  });
  server.addService(loaded.grpc.health.v1.Health.service, {
    Check: (_call: unknown, done: sendUnaryData<object>) => done(null, { status: "SERVING" }),
  });
  new ReflectionService(definition).addToServer(server);
  return server;
}

type AskMethod = (call: AskCall, deps: MethodDeps, ...rest: AskMethodRest) => Promise<void>;
type AskMethodRest = [question: ReturnType<typeof questionOf>, signal: AbortSignal];

async function streamed(call: AskCall, deps: MethodDeps, method: AskMethod): Promise<void> {
  const failure = await answerCall(call, deps, (caller, signal) =>
    method(call, deps, questionOf(call.request, caller, deps), signal),
  );
  if (failure === undefined) call.end();
  else call.emit("error", failure);
}

const askWhole: AskMethod = async (call, deps, question, signal) => {
  const { answer, text } = await tellWhole(deps, question, signal);
  await send(call, finalResponse(text, answer), deps.clock, signal);
};

const askStream: AskMethod = async (call, deps, question, signal) => {
  for await (const told of tellInPieces(deps, question, signal)) {
    const response =
      told.type === "piece" ? { text: told.text, is_final: false } : finalResponse("", told.answer);
    await send(call, response, deps.clock, signal);
  }
};

async function evaluate(
  call: ServerUnaryCall<EvalRequest, object>,
  done: sendUnaryData<object>,
  deps: MethodDeps,
): Promise<void> {
  let response: object = {};
  const failure = await answerCall(call, deps, async (caller, signal) => {
    if (deps.evaluate === undefined) throw new Rejection("not_implemented", "Nothing is evaluated here.");
    // An evaluation asks as whomever its data set names.
    if (isBound(caller))
      throw new Rejection("forbidden", "This API key is bound; evaluations need one that is not.");
    response = evalResponse(await deps.evaluate(evaluationOf(call.request), signal));
  });
  if (failure === undefined) done(null, response);
  else done(failure);
}
