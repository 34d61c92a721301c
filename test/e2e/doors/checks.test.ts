/** `POST /api/v1/checks`: a text of somebody else's against passages and against readings. */
import { expect, test } from "vitest";
import { World } from "../world.js";

async function checked(
  world: World,
  body: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`http://127.0.0.1:${world.ports.http}/api/v1/checks`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test("tells what passages bear out, what they contradict, and by which words", async () => {
  const world = await World.start();
  const passages = [
    { id: "burns", text: "Cool the burn under running water for 20 minutes. Never use ice." },
  ];
  const { body } = await checked(world, {
    text: "Cool the burn for 20 minutes. Cool the burn for 30 minutes. Paint the door green.",
    passages,
  });
  expect(body.claims).toMatchObject([
    {
      verdict: "supported",
      evidence: [{ source: "burns", value: expect.stringContaining("20 minutes") as string }],
    },
    { verdict: "contradicted", reasons: [{ code: "number_differs" }] },
    { verdict: "unsupported" },
  ]);
});

test("tells what readings bear out", async () => {
  const world = await World.start();
  const tools = [
    { tool: "service_status", result: { service: "nginx", active: true, running: true }, age_s: 5 },
  ];
  const asked = async (text: string) =>
    (await checked(world, { text, question: "Is nginx running?", tools })).body;
  expect(await asked("The nginx service is running.")).toMatchObject({
    verdict: "supported",
    claims: [{ evidence: [{ type: "tool_output", source: "service_status", age_ms: 5_000 }] }],
  });
  expect((await asked("The nginx service is stopped.")).verdict).toBe("contradicted");
  const stale = [{ ...tools[0], age_s: 3_600 }];
  const old = await checked(world, { text: "The nginx service is running.", question: "?", tools: stale });
  expect(old.body.verdict).not.toBe("supported");
});

test.each([
  [{}, "text"],
  [{ text: "Yes." }, "passages"],
  [{ text: "Yes.", passages: [{ id: "p" }] }, "passages[0].text"],
  [{ text: "Yes.", passages: [], tools: [] }, "passages"],
])("refuses %j, naming the field", async (body, field) => {
  const world = await World.start();
  const refused = await checked(world, body);
  expect(refused).toMatchObject({ status: 400, body: { error: { field } } });
});
