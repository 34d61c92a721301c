/** `user_info` alone: it is what the caller's platform knows of the user, and questions about that are answered from it. */
import { expect, test } from "vitest";
import { textReply } from "../../support/openai-replies.js";
import { World } from "../world.js";
import { documents, offline, post, WHO } from "./ask.js";

const INFO = { dev_id: "d-17", project_id: "p-9", org_id: "acme-foods" };

interface Told {
  readonly answer: string;
  readonly outcome: string;
  readonly claims: readonly {
    readonly evidence: readonly { readonly source: string; readonly age_ms?: number }[];
  }[];
}

async function ask(world: World, text: string, context?: object): Promise<Told> {
  const body = { ...WHO, text, ...(context && { context }) };
  return (await (await post(world, "/api/v1/answers", body)).json()) as Told;
}

test("what is known of the account is told, and what is not known is not", async () => {
  const world = await offline();
  const known = (text: string) => ask(world, text, { user_info: INFO });
  for (const text of ["What can you see of my account?", "Who am I?", "¿Qué sabes de mi cuenta?"]) {
    const { answer, claims, outcome } = await known(text);
    expect([text, outcome]).toEqual([text, "answered"]);
    for (const value of Object.values(INFO)) expect(answer).toContain(value);
    expect(claims[0]?.evidence[0]?.source).toBe("attached.user_info");
  }
  expect((await known("Which project am I in?")).answer).toBe("Project id is p-9.");
  const quota = await known("What is my quota?");
  expect([quota.outcome, quota.answer]).toEqual([
    "not_in_documents",
    "The data that came with your question doesn't say that.",
  ]);
});

test("data of the platform is as old as its caller says, and said with its age", async () => {
  const world = await offline();
  const said = (age?: number) =>
    ask(world, "How much of my quota is used on my account?", {
      extra_context: { quota_used: "40 percent" },
      ...(age === undefined ? {} : { extra_context_age_s: age }),
    });
  expect((await said()).answer).toBe("Quota used is 40 percent.");
  const { answer, claims } = await said(180);
  expect(answer).toBe("This is how it was 3 minutes ago: Quota used is 40 percent.");
  expect(claims[0]?.evidence[0]?.age_ms).toBeGreaterThanOrEqual(180_000);
});

test("with nothing attached there is no account to see", async () => {
  const world = await offline();
  const { answer, outcome } = await ask(world, "What can you see of my account?");
  expect([outcome, answer]).toEqual([
    "not_in_documents",
    expect.stringContaining("I can't see your account"),
  ]);
});

test("a model is shown it, and what it says is checked against it", async () => {
  const world = await World.start({ documents });
  world.server.expectChat(textReply("Your project id is p-9. Your plan is gold."));
  const { answer } = await ask(world, "What can you see of my account?", { user_info: INFO });
  expect(world.requestText).toContain("Project id is p-9.");
  expect(answer).toContain("p-9");
  expect(answer).not.toContain("gold");
});
