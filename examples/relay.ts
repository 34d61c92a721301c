/**
 * A relay in about thirty lines: asks one question, prints the commands that come back and counts the packets. A relay
 * knows its user's network; this one asks in the network that has documents on this machine, unless another is named.
 *
 *     node dist/examples/relay.js 127.0.0.1 8086 "How do I clean up a chemical spill?" acme
 */
import { connect } from "node:net";
import { EnvelopeDecoder, encodeRelayCommand, parseServiceCommand } from "@readback/protocol";
import { ownNetwork } from "../src/cli/own-network.js";
import { loadConfig } from "../src/config/load.js";

const [host = "127.0.0.1", port = "8086", text = "How do I clean up a chemical spill?", named] =
  process.argv.slice(2);
const network = named ?? ownNetwork(loadConfig().config);
const socket = connect(Number(port), host);
const decoder = new EnvelopeDecoder();
let packets = 0;

// Where the service asks for tokens, say first who you are: { command: "hello", token }.
socket.write(
  encodeRelayCommand({
    command: "ai_message",
    network,
    username: "ann",
    text,
    responseType: "audio",
  }),
);
socket.on("data", (chunk) => {
  decoder.push(chunk);
  for (let result = decoder.next(); result.type !== "incomplete"; result = decoder.next()) {
    if (result.type === "malformed") return socket.destroy(new Error(`${result.reason}: ${result.detail}`));
    if (result.envelope.contentType === "audio") packets++;
    else show(parseServiceCommand(result.envelope));
  }
});
socket.on("error", (error) => console.error(error.message));
socket.on("close", () => console.log(`${packets} packets`));

function show(result: ReturnType<typeof parseServiceCommand>): void {
  if (result.type === "refused") return console.error(`ignored: ${result.error}`);
  console.log(result.command);
  if (["transcription", "text_message", "ai_message_error"].includes(result.command.command)) socket.end();
}
