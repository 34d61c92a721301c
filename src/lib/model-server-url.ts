/** The address of a model server, as a setting. */
import { z } from "zod";
import { credentialsOf } from "./secrets.js";

/**
 * An `http` or `https` address without a user and a password: `fetch` refuses one that has them, which would be seen
 * at the first question only.
 */
export function modelServerUrl(): z.ZodURL {
  return z.url({ protocol: /^https?$/ }).refine((address) => credentialsOf(address).length === 0, {
    error: "An address with a user or a password cannot be used; take them out, and set api_key instead",
  });
}
