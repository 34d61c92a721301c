/** Stands before routes that decide everything else themselves: lets in who may ask, and tells how it went. */
import { type RequestHandler, Router } from "express";
import { assertRole, type Caller, isBound } from "../api/api-keys.js";
import { workForCaller } from "../api/origin.js";
import { Rejection, type RejectionCode } from "../api/rejection.js";
import type { DoorName } from "../telemetry/events.js";
import { plainError } from "./answers.js";
import { type ApiDeps, admit, refused as withRefusal } from "./exchange.js";

/**
 * Everything below `prefix` needs a key that is not bound, where there are keys: what is done there may speak for
 * anybody.
 */
export function guard({ clock, keys, telemetry }: ApiDeps, door: DoorName, prefix: string): Router {
  const guardian: RequestHandler = async (request, response, next) => {
    const startMs = clock.monotonic();
    let caller: Caller = {};
    let refused: RejectionCode | undefined;
    response.once("close", () => {
      const { statusCode, writableFinished } = response;
      const result = refused ?? (statusCode < 400 ? "ok" : `http_${statusCode}`);
      telemetry.emit({
        type: "door_request_finished",
        door,
        result: writableFinished ? result : "disconnected",
        ms: clock.monotonic() - startMs,
        ...(caller.name === undefined ? {} : { caller: caller.name }),
      });
    });
    try {
      caller = await admit(request, keys);
      assertRole(caller, "ask");
      if (isBound(caller))
        throw new Rejection("forbidden", "This needs an API key that is not bound to anybody.");
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      refused = error.code;
      withRefusal(response, error).json(plainError(error));
      return;
    }
    workForCaller(caller, request.socket, next);
  };
  return Router().use(prefix, guardian);
}
