/** Two versions of a guide beside each other: what is new, what is gone, and what is said otherwise. */
import { type Difference, differences } from "./compare.js";
import type { Desk } from "./desk.js";
import { choices, el, labelled, openDialog } from "./dom.js";
import { type Guide, type GuideSummary, nameOf } from "./guide.js";
import { say } from "./strings.js";

/** What stands for the guide of the session. */
const DRAFT = "draft";

/** `draft`: the guide as the session has it; absent: two versions that are kept. */
export async function compareVersions(desk: Desk, id: string, draft?: Guide): Promise<void> {
  const path = `guides/${encodeURIComponent(id)}`;
  const { versions } = await desk.service.get<{ readonly versions: readonly GuideSummary[] }>(
    `${path}/versions`,
  );
  const kept = versions.map(({ status, version }) => {
    const name = `${say("version_number", { version })} · ${say(`status_${status}`)}`;
    return [`${version}`, name] as const;
  });
  const known = draft === undefined ? kept : [[DRAFT, say("draft")] as const, ...kept];
  const [before, after] = [choices(known), choices(known)];
  before.value = known[Math.min(1, known.length - 1)]![0];
  const list = el("ul", { className: "differences" });
  const load = async (version: string): Promise<Guide> =>
    version === DRAFT && draft !== undefined ? draft : desk.service.get<Guide>(path, { version });
  const show = () =>
    desk.attempt(async () => {
      const [old, now] = await Promise.all([load(before.value), load(after.value)]);
      const lines = differences(old, now).map(lineOf);
      list.replaceChildren(...(lines.length > 0 ? lines : [el("li", { textContent: say("same") })]));
    });
  for (const select of [before, after]) select.addEventListener("change", () => void show());
  const picked = el(
    "p",
    { className: "row ends" },
    labelled(say("earlier"), before),
    labelled(say("later"), after),
  );
  openDialog(say("compare"), say("close"), picked, list);
  await show();
}

function lineOf(one: Difference): HTMLLIElement {
  const name = one.step === undefined ? "" : nameOf(one.step);
  if (one.type !== "changed")
    return el("li", { className: one.type }, el("b", { textContent: say(`what_${one.type}`) }), ` ${name}`);
  const field = say(`field_${one.field}`);
  return el(
    "li",
    { className: "changed" },
    el("b", { textContent: say("what_changed") }),
    ` ${[name, field].filter(Boolean).join(" · ")}`,
    ...(one.before === "" ? [] : [el("del", { textContent: one.before })]),
    ...(one.after === "" ? [] : [el("ins", { textContent: one.after })]),
  );
}
