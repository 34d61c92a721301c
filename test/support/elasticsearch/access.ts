/** What the server wants of a request's headers: credentials, and a media type of a version that it speaks. */
import type { IncomingHttpHeaders } from "node:http";
import { ElasticsearchError } from "./errors.js";

export interface Access {
  readonly apiKey: string;
  readonly basic: { readonly username: string; readonly password: string };
}

/** Throws the server's 401 for missing or wrong credentials. */
export function checkAuthorization(
  header: string | undefined,
  { apiKey, basic }: Access,
  path: string,
): void {
  if (header === undefined)
    throw unauthorized(`missing authentication credentials for REST request [${path}]`);
  const login = Buffer.from(`${basic.username}:${basic.password}`).toString("base64");
  const [scheme = "", credentials = ""] = header.split(" ");
  const right = { apikey: apiKey, basic: login }[scheme.toLowerCase()];
  if (right === undefined || credentials !== right)
    throw unauthorized(
      scheme.toLowerCase() === "basic"
        ? `unable to authenticate user [${Buffer.from(credentials, "base64").toString().split(":")[0]}] for REST request [${path}]`
        : "unable to authenticate with provided credentials and anonymous access is not allowed for this request",
    );
}

function unauthorized(reason: string): ElasticsearchError {
  return new ElasticsearchError(401, "security_exception", reason, {
    header: { "WWW-Authenticate": ['Basic realm="security" charset="UTF-8"', "ApiKey"] },
  });
}

/** Throws when `Accept` or `Content-Type` asks for a version that is neither this server's nor the one before. */
export function checkMediaTypes(headers: IncomingHttpHeaders, hasBody: boolean, version: string): void {
  const major = Number(version.split(".")[0]);
  const contentType = headers["content-type"];
  if (hasBody && contentType === undefined)
    throw new ElasticsearchError(
      406,
      "media_type_header_exception",
      "Content-Type header [] is not supported",
    );
  for (const [name, value] of [
    ["Accept", headers.accept],
    ["Content-Type", contentType],
  ] as const) {
    const asked = /compatible-with=(\d+)/.exec(value ?? "")?.[1];
    if (asked === undefined || Number(asked) === major || Number(asked) === major - 1) continue;
    throw new ElasticsearchError(
      400,
      "media_type_header_exception",
      `Invalid media-type value on headers [${name}]`,
      {
        caused_by: {
          type: "status_exception",
          reason: `${name} version must be either version ${major} or ${major - 1}, but found ${asked}. ${name}=${value}`,
        },
      },
    );
  }
}
