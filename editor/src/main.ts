/** The page at `/editor`: guides are built by conversation and by hand, for who holds a key with the role `author`. */
import { byId } from "/editor/assets/kiosk/dom.js";
import { Desk } from "./desk.js";
import { walkedByArrows } from "./dom.js";
import { removal } from "./edits.js";
import { type Row, rowsOf } from "./ghosts.js";
import { nameOf, type Session } from "./guide.js";
import { previewFile, takeFiles } from "./importing.js";
import { type MenuItem, openMenu } from "./menu.js";
import { showOutline } from "./outline.js";
import { resolve, showFindings, showMessages, showSuggestions } from "./panel.js";
import { rehearse } from "./rehearsal.js";
import { openReview, type Review } from "./review.js";
import { Service } from "./service.js";
import { begin, showStart } from "./start.js";
import { addStep, editStep } from "./step-form.js";
import { say, sayAll } from "./strings.js";
import { showTree } from "./tree.js";
import { compareVersions } from "./versions.js";

/** How often it is looked whether somebody else changed the session, and after how long without a touch that ends. */
const POLL_MS = 3_000;
const IDLE_MS_MAX = 900_000;

class EditorPage {
  readonly #status = byId("status", HTMLElement);
  readonly #start = byId("start", HTMLElement);
  readonly #editor = byId("editor", HTMLElement);
  readonly #outline = byId("outline", HTMLElement);
  readonly #tree = byId("tree", HTMLElement);
  readonly #menu = byId("menu", HTMLElement);
  readonly #message = byId("message", HTMLTextAreaElement);
  /** Undefined until somebody said who they are. */
  #desk: Desk | undefined;
  /** The step that the next message is about. */
  #focal: string | undefined;
  #touchedMs = performance.now();

  begin(): void {
    sayAll();
    byId("who", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#enter();
    });
    for (const sign of ["pointerdown", "keydown"])
      addEventListener(sign, () => (this.#touchedMs = performance.now()), { passive: true });
    addEventListener("resize", () => {
      const { session } = this.#desk ?? {};
      if (session !== undefined) this.#show(session);
    });
    addEventListener("hashchange", () => void this.#go());
    for (const part of [this.#outline, this.#tree, this.#menu]) walkedByArrows(part);
    // What scrolls is reached by the keyboard.
    byId("messages", HTMLElement).tabIndex = 0;
    this.#listen();
    void this.#poll();
  }

  #listen(): void {
    byId("tools", HTMLElement).addEventListener("click", ({ target }) => {
      const { act } = (target as HTMLElement).closest("button")?.dataset ?? {};
      if (act !== undefined) this.#act(act);
    });
    byId("new", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      const fields = ["name", "flow_type", "language", "prompt"].map((name) => {
        const { value } = byId(`new_${name}`, HTMLElement) as HTMLInputElement;
        return [name, value.trim()] as const;
      });
      const given = Object.fromEntries(fields.filter(([, value]) => value !== ""));
      void begin(this.#desk!, given, (id) => this.#openHash(id));
    });
    takeFiles(this.#start, byId("file", HTMLInputElement), (file) => {
      const open = (id: string) => this.#openHash(id);
      void previewFile(file, this.#desk!, (from) => void begin(this.#desk!, { from }, open));
    });
    byId("composer", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#send();
    });
    byId("unfocus", HTMLElement).addEventListener("click", () => this.#focusOn(undefined));
    this.#message.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      void this.#send();
    });
    this.#editor.addEventListener("keydown", (event) => this.#key(event));
  }

  async #enter(): Promise<void> {
    const person = ["network", "username"].map((id) => [id, byId(id, HTMLInputElement).value.trim()]);
    const given = Object.fromEntries(person.filter(([, value]) => value !== ""));
    const service = new Service(byId("api_key", HTMLInputElement).value, given);
    this.#desk = new Desk(
      service,
      (session) => this.#show(session),
      (text) => this.#tell(text),
      (session) => showMessages(byId("messages", HTMLElement), session, this.#desk!),
    );
    await this.#go();
  }

  /** To the session that the address names, or to the lists. */
  async #go(): Promise<void> {
    const desk = this.#desk;
    if (desk === undefined) return;
    const id = decodeURIComponent(location.hash.slice(1));
    this.#tell("");
    desk.leave();
    this.#focusOn(undefined);
    const isThere = await desk.attempt(() =>
      id === "" ? showStart(this.#start, desk, (one) => this.#openHash(one)) : desk.open(id),
    );
    byId("who", HTMLElement).hidden = isThere;
    this.#start.hidden = !isThere || id !== "";
    for (const part of [this.#editor, byId("tools", HTMLElement)]) part.hidden = !isThere || id === "";
    if (id === "") byId("about", HTMLElement).textContent = "";
    else if (isThere) this.#show(desk.session!);
    if (isThere) (id === "" ? byId("new_name", HTMLElement) : this.#message).focus();
  }

  #openHash(id: string): void {
    location.hash = id;
  }

  #tell(text: string): void {
    this.#status.textContent = text;
  }

  /** All of a session. What had the focus has it again. */
  #show(session: Session): void {
    const desk = this.#desk!;
    const { activeElement } = document;
    const lists = ["suggestions", "findings"].map((id) => byId(id, HTMLElement));
    const part = [this.#outline, this.#tree, ...lists].find((one) => one.contains(activeElement));
    const { step } = (activeElement as HTMLElement | null)?.dataset ?? {};
    const rows = rowsOf(session.guide, session.suggestions);
    const onStep = (row: Row, anchor: HTMLElement) => openMenu(this.#menu, anchor, this.#itemsOf(row));
    showOutline(this.#outline, rows, session, onStep);
    showTree(this.#tree, rows, session, onStep);
    showFindings(byId("findings", HTMLElement), session, (id) => this.#goTo(id));
    showSuggestions(byId("suggestions", HTMLElement), session, desk);
    showMessages(byId("messages", HTMLElement), session, desk);
    const { messages_left: count, name, owner, phase, status, undo_left } = session;
    byId("about", HTMLElement).textContent = [
      name,
      owner,
      say(`phase_${phase}`),
      say(`status_${status}`),
    ].join(" · ");
    byId("left", HTMLElement).textContent = say("messages_left", { count });
    for (const button of byId("tools", HTMLElement).querySelectorAll("button")) {
      const { act, when } = button.dataset;
      button.disabled = act === "undo" && undo_left === 0;
      button.hidden = when !== undefined && !when.split(" ").includes(status);
    }
    if (part !== undefined) this.#goTo(step ?? "", part);
  }

  #goTo(step: string, part = this.#outline): void {
    const found = part.querySelector<HTMLElement>(`[data-step="${CSS.escape(step)}"]`);
    (found ?? part.querySelector("button") ?? this.#message).focus();
  }

  #itemsOf({ ghost, step }: Row): readonly MenuItem[] {
    const desk = this.#desk!;
    const answer = (resolution: string) => () => resolve(desk, ghost!.suggestion, resolution);
    const suggested: readonly MenuItem[] =
      ghost === undefined
        ? []
        : [
            [say("accept"), answer("accepted")],
            [say("dismiss"), answer("dismissed")],
          ];
    if (ghost?.what === "added") return suggested;
    const ask = (action: string, words: string) => () => void desk.ask(words, action, step.id);
    const confirm: readonly MenuItem[] = desk.session!.marked.includes(step.id)
      ? [[say("confirm"), () => this.#patch([{ op: "confirm", id: step.id }])]]
      : [];
    return [
      ...suggested,
      [say("edit"), () => editStep(desk, step)],
      ...confirm,
      [say("add_behind"), () => addStep(desk, step)],
      [say("branch"), ask("generate_branch", say("ask_branch"))],
      [say("explain"), ask("quick_action", say("ask_explain"))],
      [say("ask_change"), () => this.#focusOn(step.id)],
      [say("delete"), () => this.#delete(step.id)],
    ];
  }

  #patch(patches: readonly object[]): void {
    void this.#desk!.change("patches", { patches });
  }

  #delete(id: string): void {
    this.#patch(removal(this.#desk!.session!.guide, id));
  }

  /** A message about this step asks to change it. */
  #focusOn(step: string | undefined): void {
    this.#focal = step;
    const found = this.#desk?.session?.guide.steps.find(({ id }) => id === step);
    byId("focal", HTMLElement).hidden = found === undefined;
    byId("focal_name", HTMLElement).textContent = found ? say("about_step", { step: nameOf(found) }) : "";
    if (found !== undefined) this.#message.focus();
  }

  /** What was not answered comes back, unless something else was written meanwhile. */
  async #send(): Promise<void> {
    const desk = this.#desk!;
    const text = this.#message.value.trim();
    if (text === "" || desk.asked !== undefined) return;
    const focal = this.#focal;
    this.#message.value = "";
    this.#focusOn(undefined);
    const isAnswered = await desk.ask(text, focal === undefined ? "open_chat" : "modify_node", focal);
    if (!isAnswered && this.#message.value === "") this.#message.value = text;
  }

  #act(act: string): void {
    const desk = this.#desk!;
    const { session } = desk;
    if (act === "back" || session === undefined) location.hash = "";
    else if (act === "compare")
      void desk.attempt(() => compareVersions(desk, session.guide.id, session.guide));
    else if (act === "rehearse") rehearse(desk, (step) => this.#mark(step));
    else void this.#changed(act);
  }

  async #changed(act: string): Promise<void> {
    const { reply } = await this.#desk!.change<{ readonly review?: Review }>(act);
    if (reply?.review !== undefined) openReview(reply.review);
  }

  /** Where a dry run is. */
  #mark(step: string): void {
    for (const one of this.#editor.querySelectorAll<HTMLElement>("[data-step]"))
      one.classList.toggle("here", one.dataset.step === step);
  }

  #key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.matches("input, textarea, select")) return;
    const { step } = target.dataset;
    const isUndo = event.key === "z" && (event.ctrlKey || event.metaKey);
    if (!isUndo && !(event.key === "Delete" && step !== undefined)) return;
    event.preventDefault();
    if (isUndo) void this.#changed("undo");
    else if (this.#desk!.session!.guide.steps.some(({ id }) => id === step)) this.#delete(step!);
  }

  /** For as long as the page is there. */
  async #poll(): Promise<void> {
    const isPaused = document.hidden || performance.now() - this.#touchedMs >= IDLE_MS_MAX;
    const desk = this.#desk;
    if (desk !== undefined && !isPaused) await desk.attempt(() => desk.refresh());
    setTimeout(() => void this.#poll(), POLL_MS);
  }
}

new EditorPage().begin();
