import { describe, expect, it } from "vitest";
import { assertNotCrossSite, isFromBrowser, namesProxy } from "./signs.js";

describe("headers that a proxy adds", () => {
  it.each([
    [
      "nginx, HAProxy and Apache",
      ["forwarded", "x-forwarded-for", "x-forwarded-proto", "x-real-ip", "x-nginx-proxy"],
    ],
    ["Envoy and Traefik", ["x-envoy-external-address", "x-forwarded-server", "x-forwarded-client-cert"]],
    ["caches", ["via", "x-varnish", "x-proxyuser-ip", "x-original-url", "x-rewrite-url"]],
    ["content networks", ["cf-connecting-ip", "cf-ray", "cdn-loop", "true-client-ip", "fastly-client-ip"]],
    [
      "clouds",
      ["x-amzn-trace-id", "x-azure-clientip", "x-appengine-user-ip", "x-arr-log-id", "fly-client-ip"],
    ],
    [
      "tunnels",
      ["ngrok-trace-id", "tailscale-user-login", "x-client-ip", "x-cluster-client-ip", "client-ip"],
    ],
  ])("of %s are known", (_who, names) => {
    for (const name of names) expect([name, namesProxy([name])]).toEqual([name, true]);
  });

  it("are not those that clients send themselves", () => {
    const curl = [
      "host",
      "user-agent",
      "accept",
      "content-type",
      "content-length",
      "expect",
      "accept-encoding",
    ];
    const sdk = [
      "authorization",
      "x-api-key",
      "x-stainless-lang",
      "x-stainless-retry-count",
      "openai-organization",
    ];
    const browser = ["origin", "referer", "sec-fetch-site", "sec-ch-ua", "dnt", "cookie", "connection"];
    const grpc = [
      "te",
      "grpc-timeout",
      "grpc-accept-encoding",
      "traceparent",
      "x-request-id",
      "x-readback-user",
    ];
    expect(namesProxy([...curl, ...sdk, ...browser, ...grpc])).toBe(false);
  });
});

describe("a page of another site", () => {
  it("is told by the browser", () => {
    for (const site of [undefined, "same-origin", "none"])
      expect(() => assertNotCrossSite(site)).not.toThrow();
    for (const site of ["cross-site", "same-site", "", "unheard-of"])
      expect(() => assertNotCrossSite(site)).toThrow(/other sites/);
  });
});

describe("a request from a browser", () => {
  const from = (headers: Readonly<Record<string, string>>) => isFromBrowser((name) => headers[name]);

  it.each([
    { "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36" },
    { origin: "null" },
    { referer: "https://evil.example/" },
    { "sec-fetch-site": "cross-site" },
  ])("is known by %j", (headers) => {
    expect(from(headers)).toBe(true);
  });

  it.each([
    {},
    { "user-agent": "curl/8.5.0" },
    { "user-agent": "python-httpx/0.27.0", "sec-fetch-mode": "cors" },
  ])("is not one that shows %j", (headers) => {
    expect(from(headers)).toBe(false);
  });
});
