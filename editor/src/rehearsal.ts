/** A dry run: the guide of the session as its worker would hear it. Nothing is kept, read or operated. */
import { type Desk, reasonOf } from "./desk.js";
import { button, el, labelled, openDialog } from "./dom.js";
import { VOICE_MS_MAX } from "./service.js";
import { say } from "./strings.js";

interface Heard {
  /** What is heard now. */
  readonly says: readonly string[];
  readonly at: string;
  readonly waits_for?: string;
  readonly over: boolean;
  readonly can_say: string;
  /** Ogg Opus in base64; absent: it cannot be spoken now. */
  readonly audio?: string;
}

/** `onPlace`: where the run is. */
export function rehearse(desk: Desk, onPlace: (step: string) => void): void {
  const { id } = desk.session!;
  const lines = el("ol", { className: "talk" });
  const voice = el("input", { type: "checkbox", checked: true });
  const words = el("input", { autocomplete: "off" });
  const player = el("audio", { controls: true });
  const hint = el("p", { className: "quiet" });
  const send = el("button", { className: "primary", type: "submit", textContent: say("send") });
  const form = el("form", { className: "row ends" }, labelled(say("worker_says"), words), send);
  let said: readonly string[] = [];
  const play = async (next: readonly string[]) => {
    send.disabled = true;
    try {
      const asked = { said: next, voice: voice.checked };
      const path = `guide_sessions/${id}/rehearsal`;
      const heard = await desk.service.post<Heard>(path, asked, VOICE_MS_MAX);
      const line = next.at(-1);
      if (line !== undefined)
        lines.append(el("li", { className: "person", textContent: line || say("done") }));
      if (next.length === 0) lines.replaceChildren();
      lines.append(...heard.says.map((text) => el("li", { className: "builder", textContent: text })));
      hint.textContent = hintOf(heard, voice.checked);
      lines.scrollTop = lines.scrollHeight;
      said = next;
      words.value = "";
      if (heard.audio !== undefined) await speak(player, heard.audio);
      onPlace(heard.at);
    } catch (error) {
      hint.textContent = reasonOf(error);
    } finally {
      send.disabled = false;
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void play([...said, words.value]);
  });
  const dialog = openDialog(
    say("dry_run"),
    say("close"),
    el("p", { textContent: say("dry_run_what") }),
    lines,
    hint,
    form,
    el(
      "p",
      { className: "row" },
      button(say("done"), () => void play([...said, ""])),
      button(say("from_beginning"), () => void play([])),
      el("label", { className: "row" }, voice, say("speak")),
    ),
    player,
  );
  dialog.addEventListener("close", () => player.pause());
  void play([]);
}

function hintOf({ audio, can_say, over, waits_for }: Heard, speaks: boolean): string {
  const place =
    waits_for === "reading" || waits_for === "operation"
      ? say(`site_${waits_for}`)
      : over
        ? say("over")
        : can_say;
  return speaks && audio === undefined ? `${place} ${say("no_voice")}` : place;
}

/** A browser that plays no Ogg Opus, or waits for a press first, leaves the controls. */
async function speak(player: HTMLAudioElement, base64: string): Promise<void> {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  if (player.src !== "") URL.revokeObjectURL(player.src);
  player.src = URL.createObjectURL(new Blob([bytes], { type: "audio/ogg" }));
  await player.play().catch((error: unknown) => console.info(String(error)));
}
