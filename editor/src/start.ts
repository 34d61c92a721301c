/** What one begins with: one's sessions, those that wait for one's review, the guides that there are, and a new one. */
import type { Desk } from "./desk.js";
import { button, el } from "./dom.js";
import type { GuideSummary, Session, SessionSummary } from "./guide.js";
import { Refused } from "./service.js";
import { say } from "./strings.js";
import { compareVersions } from "./versions.js";

interface Sessions {
  readonly guide_sessions: readonly SessionSummary[];
}

const HTTP_FORBIDDEN = 403;

/** Lists everything that this key may see. Rejects where it may see nothing. */
export async function showStart(part: HTMLElement, desk: Desk, onOpen: (id: string) => void): Promise<void> {
  const { service } = desk;
  const [own, reviews, guides] = await Promise.all([
    allowed(service.get<Sessions>("guide_sessions")),
    allowed(service.get<Sessions>("guide_sessions", { to_review: "true" })),
    service.get<{ readonly guides: readonly GuideSummary[] }>("guides"),
  ]);
  if (own === undefined && reviews === undefined) throw new Refused(HTTP_FORBIDDEN, say("not_allowed"));
  const lineOf = ({ id, name, owner, phase, status }: SessionSummary) =>
    el(
      "li",
      {},
      button(name, () => onOpen(id)),
      el("span", { textContent: [owner, say(`phase_${phase}`), say(`status_${status}`)].join(" · ") }),
    );
  fill(part, "#sessions", own?.guide_sessions.map(lineOf));
  fill(part, "#reviews", reviews?.guide_sessions.map(lineOf));
  fill(
    part,
    "#guides",
    guides.guides.map((guide) => guideLine(guide, desk, onOpen, own !== undefined)),
  );
  for (const authors of part.querySelectorAll<HTMLElement>(".authors")) authors.hidden = own === undefined;
}

function guideLine(
  { id, name, version }: GuideSummary,
  desk: Desk,
  onOpen: (id: string) => void,
  isAuthor: boolean,
): HTMLLIElement {
  const goOn = button(name, () => void begin(desk, { from: id }, onOpen));
  goOn.title = say("go_on");
  goOn.disabled = !isAuthor;
  const compare = button(say("compare"), () => void desk.attempt(() => compareVersions(desk, id)), "small");
  compare.ariaLabel = `${say("compare")}: ${name}`;
  return el("li", {}, goOn, el("span", { textContent: say("version_number", { version }) }), compare);
}

type Begun = Session & { readonly errors?: readonly string[] };

/** A session about a new guide, or `from` one that there is; with a `prompt` a model drafts all of it first. */
export function begin(desk: Desk, fields: object, onOpen: (id: string) => void): Promise<boolean> {
  return desk.attempt(async () => {
    const { service } = desk;
    const session =
      "prompt" in fields
        ? await service.say<Begun>("guide_sessions", fields, (text) => desk.tell(text))
        : await service.post<Begun>("guide_sessions", fields);
    onOpen(session.id);
    desk.tell((session.errors ?? []).join("\n"));
  });
}

async function allowed<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refused && error.status === HTTP_FORBIDDEN) return undefined;
    throw error;
  }
}

function fill(part: HTMLElement, list: string, lines: readonly HTMLElement[] | undefined): void {
  const element = part.querySelector<HTMLElement>(list)!;
  element.closest("section")!.hidden = lines === undefined;
  const none = el("li", { textContent: say("nothing") });
  element.replaceChildren(...(lines?.length === 0 ? [none] : (lines ?? [])));
}
