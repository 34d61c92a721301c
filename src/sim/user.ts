/** One simulated user: does what the plan says, from whichever relay the user is on, and hears what comes back. */
import type { RelayCommandDraft, UserIdentity } from "@readback/protocol";
import { type Clock, sleep } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import { Exchange } from "./exchange.js";
import type { Kept } from "./kept.js";
import type { Activity, PlannedStep, PlannedUser, When } from "./plan.js";
import type { Relay } from "./relay.js";
import type { AudioEvent, CommandEvent, SentCommand, TraceEvent } from "./trace.js";
import type { SimulatedVoice, Utterances } from "./voice.js";

/** The same request id is good for one request in the whole run. */
export interface RequestIds {
  next(): number;
}

/** The service, where it is the simulation's own: what may befall it. */
export interface ServiceControl {
  /** Ends it as a kill does, and starts it again; resolves when it listens. */
  kill(): Promise<void>;
  /** Makes files of its data folder what these texts say; undefined: removes them. */
  write(files: Readonly<Record<string, string | undefined>>): Promise<void>;
  /** Sets its clock, which tells the time of day, so much forward; a negative number: back. */
  jump(byMs: number): Promise<void>;
}

export interface UserDeps {
  readonly clock: Clock;
  readonly startMs: number;
  /** How long a user waits for anything. */
  readonly patienceMs: number;
  readonly relays: ReadonlyMap<string, Relay>;
  readonly utterances: Utterances;
  readonly numbers: RequestIds;
  readonly kept: Kept;
  /** Rejects where the service is not the simulation's own. */
  readonly service: ServiceControl;
  readonly emit: (event: TraceEvent) => void;
}

export class SimulatedUser {
  readonly exchanges: Exchange[] = [];
  readonly #byRequest = new Map<string, Exchange>();
  /** Answers, not acknowledgements. */
  readonly #byMessage = new Map<number, Exchange>();
  readonly #acknowledgements = new Set<number>();
  #relay: Relay;
  #visits = 1;
  /** Whether anything was asked that the chat may remember. */
  #chatBegun = false;
  /** The spoken question for which the button is held. */
  #held: number | undefined;
  /** Steps that wait for what is said unasked, and what none has waited for yet. */
  readonly #hearing: Exchange[] = [];
  readonly #unasked: Pick<CommandEvent, "command" | "atMs">[] = [];

  constructor(
    readonly planned: PlannedUser,
    private readonly deps: UserDeps,
  ) {
    this.#relay = this.#relayNamed(planned.relay);
  }

  get relay(): string {
    return this.#relay.name;
  }

  /** Does everything that is planned. Rejects only with the signal's reason. */
  async play(signal: AbortSignal): Promise<void> {
    for (const activity of this.planned.activities) await this.#activity(activity, signal);
  }

  /** Resolves when nothing is waited for any more, or when patience is over. */
  settled(signal: AbortSignal): Promise<void> {
    return this.#over(this.exchanges, signal);
  }

  /** Turns up on another relay, and says so with a command that does nothing else. */
  moveTo(relay: string, step: PlannedStep): void {
    this.#relay = this.#relayNamed(relay);
    this.#visits += 1;
    this.#request("get_chat", step, (requestId) => ({ command: "get_chat", ...this.#identity(), requestId }));
  }

  /** The user's relay is gone: what was under way may be lost. */
  cut(): void {
    for (const exchange of this.exchanges) if (exchange.outcome === undefined) exchange.cut();
  }

  receiveAudio({ audio, atMs }: AudioEvent): void {
    this.#byMessage.get(audio.messageId)?.packet(atMs);
  }

  receive({ command, atMs }: CommandEvent): void {
    if (command.command === "keep_alive") return;
    if (command.requestId === undefined) return this.#hearUnasked({ command, atMs });
    const exchange = this.#byRequest.get(command.requestId);
    if (exchange === undefined) return;
    if (command.command === "message") {
      if (command.kind === "acknowledgement") this.#acknowledgements.add(command.messageId);
      else this.#byMessage.set(command.messageId, exchange);
    }
    const acknowledgement = "messageId" in command && this.#acknowledgements.has(command.messageId);
    exchange.receive(command, atMs, acknowledgement);
    this.#keep(exchange);
  }

  #hearUnasked(event?: Pick<CommandEvent, "command" | "atMs">): void {
    const { command } = event ?? {};
    if (event !== undefined && (command?.command === "text_message" || command?.command === "transcription"))
      this.#unasked.push(event);
    while (this.#hearing.length > 0 && this.#unasked.length > 0) {
      const [exchange, heard] = [this.#hearing.shift()!, this.#unasked.shift()!];
      exchange.receive(heard.command, heard.atMs, false);
      this.#keep(exchange);
    }
  }

  #keep({ outcome, step }: Exchange): void {
    if (step.keep !== undefined && outcome !== undefined && "text" in outcome)
      this.deps.kept.keep(step.keep, outcome.text);
  }

  async #activity({ atMs, steps }: Activity, signal: AbortSignal): Promise<void> {
    await this.#sleepUntil(this.deps.startMs + atMs, signal);
    const begun: Exchange[] = [];
    for (const step of steps) {
      await this.#wait(step.when, begun, signal);
      const exchange = await this.#do(step, signal);
      if (exchange !== undefined) begun.push(exchange);
    }
    await this.#over(begun, signal);
  }

  /** `begun`: what this activity has begun, the last of it last. */
  async #wait(when: When, begun: readonly Exchange[], signal: AbortSignal): Promise<void> {
    const { clock, startMs } = this.deps;
    if (when.type === "at") return this.#sleepUntil(startMs + when.atMs, signal);
    const last = begun.at(-1);
    if (when.type === "after") await this.#over(begun, signal);
    if (when.type === "after_sound" && last !== undefined)
      await this.#until(last, () => last.firstSoundMs !== undefined || isOver(last), signal);
    const fromMs = when.type === "after_start" && last !== undefined ? last.startMs : clock.monotonic();
    await this.#sleepUntil(fromMs + when.delayMs, signal);
  }

  async #over(exchanges: readonly Exchange[], signal: AbortSignal): Promise<void> {
    for (const exchange of exchanges) await this.#until(exchange, () => isOver(exchange), signal);
  }

  async #do(step: PlannedStep, signal: AbortSignal): Promise<Exchange | undefined> {
    const { action } = step;
    switch (action.type) {
      case "ask":
        return this.#ask(await this.#filled(action.text, signal), step);
      case "say":
      case "play":
      case "press":
        return this.#speak(step, action.hold, signal);
      case "move":
        this.moveTo(action.relay, step);
        return this.exchanges.at(-1);
      case "cut_off":
        this.#relay.disconnect();
        await sleep(this.deps.clock, action.forMs, signal);
        return void (await this.#relay.connect(signal));
      case "write":
        return void (await this.deps.service.write(action.files));
      case "jump":
        return void (await this.deps.service.jump(action.byMs));
      case "do":
        if (action.command === "hear") return this.#hear(step);
        if (action.command === "kill_service") return void (await this.deps.service.kill());
        return this.#command(step, action.command);
    }
  }

  #ask(text: string, step: PlannedStep): Exchange {
    return this.#request("ai_message", step, (requestId) => ({
      command: "ai_message",
      ...this.#turn(requestId),
      text,
      responseType: step.answer === "voice" ? "audio" : "text",
    }));
  }

  /** The text with what was kept; as it stands where some of that does not come in time. */
  async #filled(text: string, signal: AbortSignal): Promise<string> {
    const { clock, kept, patienceMs } = this.deps;
    try {
      return await withDeadline(clock, "what is kept", patienceMs, signal, (both) => kept.filled(text, both));
    } catch (error) {
      if (!(error instanceof DeadlineExceeded) || signal.aborted) throw error;
      return text;
    }
  }

  #hear(step: PlannedStep): Exchange {
    const { clock, numbers } = this.deps;
    const id = `unasked ${numbers.next()}`;
    const exchange = new Exchange(this.planned.username, id, "announcement", step, clock.monotonic());
    this.exchanges.push(exchange);
    this.#hearing.push(exchange);
    this.#hearUnasked();
    return exchange;
  }

  #command(
    step: PlannedStep,
    command: "release" | Exclude<SentCommand, "ai_message" | "message" | "end_message">,
  ) {
    if (command === "release") {
      this.#release();
      return undefined;
    }
    if (command === "cancel" || command === "close_chat") this.#noteStop();
    return this.#request(command, step, (requestId) =>
      command === "suggested_questions" || command === "summarize"
        ? { command, ...this.#turn(requestId) }
        : { command, ...this.#identity(), requestId },
    );
  }

  /** Presses, speaks at the pace of speech, and releases. */
  async #speak(step: PlannedStep, hold: boolean, signal: AbortSignal): Promise<Exchange> {
    const { clock, numbers, utterances } = this.deps;
    const utterance = utterances.of(step);
    if (utterance === undefined) throw new Error("there is nothing prepared for this step to say");
    const messageId = numbers.next();
    this.#noteStop();
    const exchange = this.#request(
      "message",
      step,
      (requestId) => ({
        command: "message",
        ...this.#turn(requestId),
        messageId,
        codecHeader: {
          sampleRateHz: utterance.sampleRateHz,
          framesPerPacket: 1,
          frameMs: utterance.packetMs,
        },
        durationMs: utterance.packetMs,
        responseType: step.answer === "voice" ? "audio" : "text",
      }),
      messageId,
    );
    this.#held = messageId;
    await this.#sendPackets(utterance, messageId, signal);
    exchange.askedMs = clock.monotonic();
    if (!hold) this.#release();
    return exchange;
  }

  async #sendPackets(
    { packets, packetMs }: SimulatedVoice,
    messageId: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = this.deps;
    const startMs = clock.monotonic();
    for (const [packetId, payload] of packets.entries()) {
      // A packet exists when the last of its sound was recorded.
      const leftMs = startMs + (packetId + 1) * packetMs - clock.monotonic();
      if (leftMs > 0) await sleep(clock, leftMs, signal);
      this.#relay.sendAudio(this.#identity(), messageId, packetId, payload);
    }
  }

  #release(): void {
    const messageId = this.#held;
    if (messageId === undefined) return;
    this.#held = undefined;
    this.#send("end_message", { command: "end_message", ...this.#identity(), messageId }, { messageId });
  }

  /** Notes on the answer that is spoken now that its user has stopped it. */
  #noteStop(): void {
    const speaking = this.exchanges.find((exchange) => exchange.speaking);
    if (speaking !== undefined) speaking.stoppedMs ??= this.deps.clock.monotonic();
  }

  #request(
    command: SentCommand,
    step: PlannedStep,
    build: (requestId: string) => RelayCommandDraft,
    messageId?: number,
  ): Exchange {
    const requestId = `r${this.deps.numbers.next()}`;
    const exchange = new Exchange(
      this.planned.username,
      requestId,
      command,
      step,
      this.deps.clock.monotonic(),
    );
    this.exchanges.push(exchange);
    this.#byRequest.set(requestId, exchange);
    this.#send(command, build(requestId), { requestId, messageId, question: this.#questionOf(step) });
    this.#chatBegun ||= command === "ai_message" || command === "message";
    if (!this.#relay.connected) exchange.cut();
    return exchange;
  }

  #send(
    command: SentCommand,
    draft: RelayCommandDraft,
    ids: {
      readonly requestId?: string;
      readonly messageId?: number | undefined;
      readonly question?: string | undefined;
    },
  ): void {
    const { connectionId, ...user } = this.#identity();
    const { clock, emit } = this.deps;
    if (!this.#relay.connected) return;
    emit({
      type: "sent",
      atMs: clock.monotonic(),
      relay: this.#relay.name,
      user,
      connectionId,
      command,
      ...ids,
    });
    this.#relay.send(draft);
  }

  /**
   * The same for users who may read the same and begin a chat with the same question. What comes later in a chat may be
   * answered by what was said before.
   */
  #questionOf({ action, answer }: PlannedStep): string | undefined {
    if (action.type !== "ask" || this.#chatBegun) return undefined;
    const { network, groups, features, mode, language } = this.planned;
    return JSON.stringify([action.text, answer, network, groups, features, mode, language]);
  }

  #identity(): UserIdentity & { readonly connectionId: string } {
    const { network, username } = this.planned;
    return { network, username, connectionId: `${username}/${this.#visits}` };
  }

  #turn(requestId: string) {
    const { groups, features, mode, language } = this.planned;
    return { ...this.#identity(), requestId, groups, features, mode, language };
  }

  #relayNamed(name: string): Relay {
    const relay = this.deps.relays.get(name);
    if (relay === undefined) throw new Error(`there is no relay ${name}`);
    return relay;
  }

  async #sleepUntil(atMs: number, signal: AbortSignal): Promise<void> {
    const leftMs = atMs - this.deps.clock.monotonic();
    if (leftMs > 0) await sleep(this.deps.clock, leftMs, signal);
  }

  /** Waits for the exchange to get so far; whoever waits too long goes on, and the checks say what is missing. */
  async #until(exchange: Exchange, reached: () => boolean, signal: AbortSignal): Promise<void> {
    const { clock, patienceMs } = this.deps;
    const leftMs = exchange.startMs + patienceMs - clock.monotonic();
    if (reached() || leftMs <= 0) return;
    try {
      await withDeadline(clock, "an answer", leftMs, signal, async (both) => {
        while (!reached()) await exchange.changed.wait(both);
      });
    } catch (error) {
      if (!(error instanceof DeadlineExceeded) || signal.aborted) throw error;
    }
  }
}

/** A cancel has no reply of its own when it did something. */
function isOver({ outcome, cutOff, command }: Exchange): boolean {
  return outcome !== undefined || cutOff || command === "cancel";
}
