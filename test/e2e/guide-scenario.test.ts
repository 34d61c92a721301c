/**
 * Two people are led through twelve steps by a service of their own, without a model and with one that claims to have done
 * everything: what they are told, who else is, and what the ledger has of it are the same.
 */
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { speechFor, textReply } from "../support/openai-replies.js";
import { OpenAiServer } from "../support/openai-server.js";
import { patience } from "../support/patience.js";
import { Child } from "./child.js";

const SCENARIO = fileURLToPath(new URL("../../examples/guides/shift.yaml", import.meta.url));
const CLAIM = "Done. Every step is confirmed, and the guide is over.";

async function played(...more: readonly string[]): Promise<void> {
  const child = Child.run(["relay-sim", SCENARIO, "--json", ...more]);
  const { code } = await child.exited;
  expect(code, child.stdout).toBe(0);
  expect(JSON.parse(child.stdout)).toMatchObject({
    good: true,
    operations: { tasks: 4, succeeded: 4, wrongTargets: 0 },
  });
}

test("a shift by guides, offline", { timeout: patience(300_000) }, () => played());

test("a shift by guides, with a model", { timeout: patience(300_000) }, async () => {
  const server = await OpenAiServer.start({
    apiKey: "simulated",
    respond: { chat: () => textReply(CLAIM), speech: ({ body }) => speechFor(body.input) },
  });
  onTestFinished(() => server.close());
  await played("--model", server.baseUrl);
  expect(server.chats.length).toBeGreaterThan(0);
});
