/**
 * Orders and what only looks like one, written by somebody who knew none of the rules: whether it is an order, and for what.
 * `orders-b` is never looked at: of both halves the sums are printed, and a row that is no order is never taken for one.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { locales } from "../../../test/support/locales.js";
import { exampleOrder } from "../../../test/support/orders.js";
import { plantResource } from "../../../test/support/resources.js";
import { Registry } from "../targets/registry.js";

/** Of the orders, those heard with their action: a tenth may have to be said in other words. */
const RIGHT_SHARE_MIN = 0.9;

interface Row {
  readonly text: string;
  readonly language: string;
  readonly is_order: boolean;
  readonly action: string | null;
  readonly target: string | null;
}

/** The things that the rows name are all that there is; no tool acts on them, so what is an order is refused. */
function sumsOf(half: string) {
  const path = fileURLToPath(new URL(`../../../test/fixtures/consent/orders-${half}.jsonl`, import.meta.url));
  const rows = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
  const names = [...new Set(rows.flatMap(({ target }) => target ?? []))];
  const things = names.map((name, i) => plantResource("machine", `m${i}`, [name]));
  const registry = Registry.EMPTY.with("plant", things);
  const access = { network: "n", username: "ann", groups: [], kiosk: false };
  const sums = { rows: rows.length, orders: 0, heard: 0, rightAction: 0, falseOrders: 0 };
  for (const { action, is_order, language, text } of rows) {
    const order = exampleOrder(text, { access, registry, locale: locales.of(language) });
    const isHeard = order.type !== "not_an_order";
    if (!is_order) sums.falseOrders += Number(isHeard);
    else {
      sums.orders += 1;
      sums.heard += Number(isHeard);
      sums.rightAction += Number(
        isHeard && order.action.replace("switch_on", "start").replace("switch_off", "stop") === action,
      );
    }
  }
  return sums;
}

test.each(["a", "b"])("half %s", (half) => {
  const sums = sumsOf(half);
  console.log(`orders-${half}`, JSON.stringify(sums));
  expect(sums).toMatchObject({ rows: 50, falseOrders: 0 });
  expect(sums.rightAction / sums.orders).toBeGreaterThanOrEqual(RIGHT_SHARE_MIN);
});
