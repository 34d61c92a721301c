/** Bodies of JSON, read and parsed: bounded in bytes and in depth. */
import express, { type RequestHandler } from "express";
import { jsonIn } from "../api/json.js";
import { Rejection } from "../api/rejection.js";

/**
 * Puts what is in the body into `request.body`, whose media type has been looked at before; nothing is put there where
 * there is no body. Goes on with a `Rejection` for what is no JSON, and with express's own error for all else.
 */
export function jsonBody(bytesMax: number): RequestHandler {
  const readText = express.text({ limit: bytesMax, type: () => true });
  return (request, response, next) => {
    readText(request, response, (error?: unknown) => {
      if (error !== undefined || request.body === undefined) return next(error);
      try {
        request.body = jsonIn(request.body as string, badJson);
      } catch (fault) {
        return next(fault);
      }
      next();
    });
  };
}

function badJson(problem: string): Rejection {
  return new Rejection("bad_json", `The body ${problem}.`);
}
