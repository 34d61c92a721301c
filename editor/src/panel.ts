/** Beside the map: what is to be corrected, what is suggested, and the conversation. */
import type { Desk } from "./desk.js";
import { button, el } from "./dom.js";
import { nameOf, type Patch, type Session } from "./guide.js";
import { say } from "./strings.js";

/** What was found wrong, in the service's words; a press goes to the step. */
export function showFindings(list: HTMLElement, { findings }: Session, onStep: (id: string) => void): void {
  const lines = findings.map(({ problem, remedy, step }) => {
    const text = `${problem}; ${remedy}`;
    return el("li", {}, ...(step === undefined ? [text] : [button(step, () => onStep(step)), ` ${text}`]));
  });
  list.replaceChildren(
    ...(lines.length > 0 ? lines : [el("li", { textContent: say("nothing_to_correct") })]),
  );
}

export function showSuggestions(part: HTMLElement, { guide, suggestions }: Session, desk: Desk): void {
  const names = new Map(guide.steps.map((step) => [step.id, nameOf(step)]));
  const waiting = suggestions.filter(({ status }) => status === "proposed");
  const cards = waiting.map(({ id, patches }) => {
    const lines = patches.map((patch) => el("li", { textContent: patchText(patch, names) }));
    const answers = ["accepted", "dismissed"].map((resolution, at) =>
      button(
        say(at === 0 ? "accept" : "dismiss"),
        () => resolve(desk, id, resolution),
        at === 0 ? "primary" : "",
      ),
    );
    return el("article", {}, el("ul", {}, ...lines), el("p", { className: "row" }, ...answers));
  });
  part.replaceChildren(...(cards.length > 0 ? cards : [el("p", { textContent: say("no_suggestions") })]));
}

export function resolve(desk: Desk, suggestion: string, resolution: string): void {
  void desk.change(`suggestions/${encodeURIComponent(suggestion)}`, { resolution });
}

/** What the patches do to a step that change more than its fields. */
const WHAT: Readonly<Record<string, string>> = { add: "added", remove: "removed", move: "moved" };

/** What a patch would do, in the words of its step. */
function patchText({ fields, id, op, step, steps }: Patch, names: ReadonlyMap<string, string>): string {
  const name = step === undefined ? (names.get(id ?? "") ?? id ?? "") : nameOf(step);
  const words = Object.values(fields ?? {}).flatMap((value) => {
    if (!Array.isArray(value)) return typeof value === "string" ? [value] : [];
    return value.map((one: { readonly label?: string }) => one.label).filter((label) => label !== undefined);
  });
  const told = op === "modify" || op === "describe" ? words.join(" · ") : (step?.text ?? "");
  const count = steps && say("steps_count", { count: steps.length });
  return [say(`what_${WHAT[op] ?? "changed"}`), name, told === name ? "" : told, count ?? ""]
    .filter(Boolean)
    .join(" · ");
}

/** All that was said, the newest last and in sight; what has no answer yet is among it. */
export function showMessages(list: HTMLElement, { guide, messages }: Session, desk: Desk): void {
  const names = new Map(guide.steps.map((step) => [step.id, nameOf(step)]));
  const lines = messages.map(({ by, focal_step_id: focal, role, text }) => {
    const about = focal === undefined ? [] : [say("about_step", { step: names.get(focal) ?? focal })];
    return bubble(role, [by, ...about].join(" · "), text);
  });
  const isKept = messages.at(-1)?.text === desk.asked && messages.at(-1)?.role === "person";
  if (desk.asked !== undefined && !isKept) lines.push(bubble("person", "", desk.asked));
  if (desk.waits) lines.push(bubble("builder", "", (desk.asked && desk.said) || say("being_answered")));
  list.replaceChildren(...lines);
  list.scrollTop = list.scrollHeight;
}

function bubble(role: string, by: string, text: string): HTMLLIElement {
  return el("li", { className: role }, el("small", { textContent: by }), el("p", { textContent: text }));
}
