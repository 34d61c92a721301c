/**
 * The token of this screen. It comes once, behind the `#` of a link, which browsers send nowhere, and is kept; the
 * address is cleaned at once, so that it shows in no screenshot and in no history.
 */

const KEPT_AS = "readback.kiosk.token";

export function takeToken(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given !== null) {
    localStorage.setItem(KEPT_AS, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return given ?? localStorage.getItem(KEPT_AS) ?? undefined;
}
