/** `readback ask`: puts one question to a running service as a relay would, and shows what comes back as it comes. */
import { Command, Option } from "commander";
import { loadConfig } from "../config/load.js";
import { systemClock } from "../lib/clock.js";
import type { ListenAddress } from "../lib/listen.js";
import { boundHost } from "../lib/private-address.js";
import { writePrivateFile } from "../lib/private-files.js";
import type { CollectedAnswer } from "./answer-collector.js";
import { askWaterfall } from "./ask-waterfall.js";
import { converse, type RelayQuestion } from "./conversation.js";
import { guideNote } from "./guide-note.js";
import { names } from "./names.js";
import { complain, say } from "./output.js";
import { emptyNetworkNote, ownNetwork } from "./own-network.js";
import { ownToken } from "./own-token.js";
import { play } from "./playback.js";
import { relayAddress } from "./relay-address.js";
import { RelayClient, RelayError } from "./relay-client.js";
import { type TlsFlags, tlsOf, withTlsOptions } from "./relay-tls.js";
import { readVoiceFile } from "./voice-file.js";

interface AskCommandOptions extends TlsFlags {
  readonly network?: string;
  readonly username: string;
  readonly say?: string;
  readonly voice?: string;
  readonly play?: true;
  readonly mode?: string;
  readonly features?: readonly string[];
  readonly groups?: readonly string[];
  readonly relay?: ListenAddress;
  readonly waterfall?: boolean;
}

const TLS_HINT =
  "The service must run with relay.tls, its certificate be for the host that --relay names, and --ca be its authority.";

export function askCommand(signal: AbortSignal): Command {
  return withTlsOptions(new Command("ask"))
    .argument("[question]", "the question, as text")
    .option("--say <file.ogg>", "ask with the voice in this Ogg Opus file instead, as a radio would")
    .option("--network <name>", "the user's network; unless given, the one that has documents here")
    .option("--username <name>", "the user's name", "you")
    .option("--voice <file.ogg>", "ask for a spoken answer and write it to this Ogg Opus file")
    .option("--play", "ask for a spoken answer and play it, with a player that is installed here")
    .option("--mode <mode>", "ai_onboarding for the trial persona")
    .option("--features <flags>", "feature flags, separated by commas, such as kiosk", names)
    .option("--groups <names>", "the user's groups, separated by commas", names)
    .addOption(
      new Option(
        "--waterfall",
        "ask this machine's evaluation API for a spoken answer, and show where its time went",
      ).conflicts(["say", "voice", "play", "relay", "tls", "ca", "cert"]),
    )
    .addOption(
      new Option(
        "--relay <host:port>",
        "where the service listens; the configured address unless given",
      ).argParser(relayAddress),
    )
    .action((question: string | undefined, options: AskCommandOptions, command: Command) => {
      if ((question === undefined) === (options.say === undefined))
        command.error("error: ask with words, or with --say <file.ogg>, one of the two");
      return ask(question, options, signal);
    });
}

async function ask(text: string | undefined, options: AskCommandOptions, signal: AbortSignal): Promise<void> {
  const { config } = loadConfig();
  const { relay: configured } = config;
  const isOwn = options.relay === undefined;
  const network = options.network ?? (isOwn ? ownNetwork(config) : config.http.defaultNetwork);
  const question = await questionOf(text, network, options);
  if (options.waterfall === true) {
    say(...(await askWaterfall(question, config, systemClock, signal)));
    return;
  }
  const { host, port } = options.relay ?? configured;
  const token = await ownToken(configured, [network]);
  const address = { host: boundHost(host), port, tls: tlsOf(options) };
  const client = await RelayClient.connect(address, systemClock, signal).catch((error: unknown) => {
    if (!(error instanceof RelayError)) throw error;
    const hint = address.tls === undefined ? "Is the service running? Start it with: npm start" : TLS_HINT;
    throw new RelayError(`${error.message}. ${hint}`);
  });
  const onAbort = () => client.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    client.send({ command: "hello", steps: true, token });
    const answer = await converse(client, question, (line) => say(...line.split("\n")));
    if (options.voice !== undefined) await save(answer, options.voice);
    if (options.play === true && answer.packets.length > 0) await play(answer.packets, signal);
    if (isOwn) say(...(await guideNote(config, question)));
    const note = isOwn ? emptyNetworkNote(config, network) : undefined;
    if (note !== undefined) complain(note);
    if (answer.error !== undefined) process.exitCode = 1;
  } finally {
    signal.removeEventListener("abort", onAbort);
    client.close();
  }
}

/** Rejects with a readable error when the voice cannot be read. */
async function questionOf(
  text: string | undefined,
  network: string,
  options: AskCommandOptions,
): Promise<RelayQuestion> {
  const { username, mode, play, say, voice, groups = [], features = [] } = options;
  const responseType = voice === undefined && play === undefined ? "text" : "audio";
  return {
    network,
    username,
    mode,
    asked: text ?? (await readVoiceFile(say!)),
    responseType,
    groups,
    features,
  };
}

async function save(answer: CollectedAnswer, path: string): Promise<void> {
  const file = answer.oggFile();
  if (file === undefined) {
    say("No audio came, so nothing was written.");
    return;
  }
  await writePrivateFile(path, file);
  say(`Wrote ${path}`);
}
