/** What the headers of a request, or the metadata of a call, tell of the way that it came. */
import { Rejection } from "./rejection.js";

/**
 * Headers that proxies, load balancers and content networks add, by their names: RFC 7239 (`Forwarded`), RFC 9110
 * (`Via`), RFC 8586 (`CDN-Loop`), and what became usual without one.
 */
const PROXY_HEADERS = new RegExp(
  `^(?:${[
    "forwarded.*",
    "via",
    "cdn-loop",
    "(?:x-)?(?:real|client|true-client|cluster-client|remote|proxyuser|original|end-user)-?ip",
    "x-forward(?:ed)?(?:-.*)?",
    "x-(?:original|remote|proxy|envoy|varnish|azure|appengine|amzn|arr|ssl|rewrite|nginx)-.*",
    "x-(?:host|scheme|url-scheme|varnish|proxy|backend)",
    "(?:cf|fastly|fly|akamai|tailscale|ngrok|wl-proxy|proxy|incap|sucuri)-.*",
    "front-end-https",
    "ssl-client-.*",
  ].join("|")})$`,
);

/** Whether one of these names, in lower case, is a header that a proxy adds. */
export function namesProxy(names: readonly string[]): boolean {
  return names.some((name) => PROXY_HEADERS.test(name));
}

/** Where a browser says that a request comes from, if not from a page of another site: https://www.w3.org/TR/fetch-metadata/ */
const OWN_SITES = [undefined, "same-origin", "none"];

/**
 * Throws `Rejection` for what a page of another site asks for. Such a page shows no key of its own, but where none is
 * needed the browser's being on this machine would do. Only browsers send this header.
 */
export function assertNotCrossSite(secFetchSite: string | undefined): void {
  if (OWN_SITES.includes(secFetchSite)) return;
  throw new Rejection(
    "forbidden",
    "Web pages of other sites may not ask here. Let the page's own server ask.",
  );
}

/**
 * Whether a web browser may have sent this. Every browser names itself `Mozilla/5.0`, and most name the page's site as
 * well; a page can take neither off what a form, or a request without preflight, sends.
 */
export function isFromBrowser(header: (name: string) => string | undefined): boolean {
  if (/mozilla\//i.test(header("user-agent") ?? "")) return true;
  return ["origin", "referer", "sec-fetch-site"].some((name) => header(name) !== undefined);
}
