import { describe, expect, it } from "vitest";
import { assertNotCrossSite, namesProxy } from "./signs.js";

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
