/**
 * The door for OpenAI's clients: `/v1/chat/completions`, `/v1/responses` and `/v1/models`. The same turn as everybody's:
 * what is streamed are whole sentences that were checked.
 */
import { z } from "zod";
import { parsed } from "../api/fields.js";
import { ApiRouter } from "./exchange.js";
import { complete } from "./openai-completions.js";
import { type ChatDoorDeps, knownModel, openaiError, secondsNow } from "./openai-reply.js";
import { respond } from "./openai-responses.js";

export function openaiDoor(deps: ChatDoorDeps) {
  const createdS = secondsNow(deps);
  const model = (id: string) => ({ id, object: "model", created: createdS, owned_by: "readback" });
  return new ApiRouter(deps, "openai", openaiError)
    .get("/v1/models", async ({ response }) => {
      response.json({ object: "list", data: deps.modelNames.map(model) });
    })
    .get("/v1/models/*id", async ({ request, response }) => {
      const { id } = parsed(modelPath, request.params);
      response.json(model(knownModel(id.join("/"), deps)));
    })
    .post("/v1/chat/completions", (exchange) => complete(exchange, deps))
    .post("/v1/responses", (exchange) => respond(exchange, deps))
    .routesWithin("/v1");
}

/** A model's name may have slashes. */
const modelPath = z.object({ id: z.array(z.string()) });
