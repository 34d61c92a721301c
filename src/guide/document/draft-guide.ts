/**
 * A draft of a guide from the numbered steps and the warnings of a document. Nothing is written that the document does not
 * say: every step is words of a passage, and names it. What comes first is what warns.
 */
import type { PassageUnit, StepUnit } from "../../extractive/passage-units.js";
import { isWarningText } from "../../extractive/passage-units.js";
import { ended, isWarning } from "../../extractive/spoken-units.js";
import { languageOf } from "../../grounding/language.js";
import { pattern } from "../../lib/pattern.js";
import { splitSentences } from "../../lib/sentence-end.js";
import { UsageProblem } from "../../lib/usage-problem.js";
import { quantitiesIn } from "../../words/quantity/quantities.js";
import { unitIn } from "../../words/quantity/unit-at.js";
import { NO_UNIT } from "../../words/quantity/units.js";
import { WARNING } from "../../words/warnings.js";
import { freeId, type Guide, idOf } from "../schema/guide.js";
import { parseGuide } from "../schema/read-guide.js";
import { GUIDE_FORMAT } from "../schema/schema.js";
import { actsIn } from "../validation/ear-rules.js";
import { STEP_SECONDS_MAX, speechSeconds } from "../validation/speech-length.js";
import { type DocumentSection, type GuideDocument, placeOf, sectionsIn } from "./passages.js";

type Fields = Readonly<Record<string, unknown>>;

/** Where steps are written: their ids, their binding, their language. */
interface Drafting {
  readonly document: GuideDocument;
  readonly language: string;
  readonly ids: Set<string>;
}

/** Throws `UsageProblem` for a document, or a section of it, without numbered steps. */
export function draftGuide(document: GuideDocument, section?: string): Guide {
  const sections = sectionsIn(document);
  const withSteps = sections.filter(({ units }) => units.some(({ role }) => role === "step"));
  const led = section === undefined ? withSteps : withSteps.filter(({ name }) => name === section);
  if (led.length === 0) throw new UsageProblem(withoutSteps(document, withSteps, section));
  const language = languageOf(sections.map(({ text }) => text).join("\n")) ?? "en";
  const drafting = { document, language, ids: new Set<string>() };
  const { access, revision, sourceFile, title } = document;
  return parseGuide({
    readback_guide: GUIDE_FORMAT,
    id: idOf(sourceFile.replace(/\.\w+$/, "")),
    name: title,
    flow_type: "procedural",
    status: "draft",
    language,
    visibility: access.visibility,
    users: access.allowedUsers,
    groups: access.allowedGroups,
    steps: [
      ...sections.filter((one) => !led.includes(one)).flatMap((one) => noticesOf(drafting, one)),
      ...led.flatMap((one) => stepsOf(drafting, one, led.length > 1)),
      { id: freeId("end", drafting.ids), kind: "end", title },
    ],
    origin: { format: "document", file: sourceFile, ...(revision !== undefined && { version: revision }) },
  });
}

function withoutSteps(
  { sourceFile }: GuideDocument,
  withSteps: readonly DocumentSection[],
  section: string | undefined,
): string {
  const names = withSteps.map(({ name }) => name).join("; ");
  const those = names === "" ? "it has none anywhere" : `it has them under: ${names}`;
  const where = section === undefined ? "" : ` under "${section}"`;
  return `${sourceFile} has no numbered steps${where}, and a guide is made of such; ${those}`;
}

/** What warns for all of a document: what calls itself a warning, and what the introduction forbids. */
function noticesOf(drafting: Drafting, section: DocumentSection): readonly Fields[] {
  const isIntroduction = section.headings.length === 1;
  return withTheirItems(section.units)
    .filter((unit) => unit.role === "notice" || (isIntroduction && unit.role === "warning"))
    .map((unit) => told(drafting, section, "warning", unit.text));
}

/** A section: its heading, its warnings, then its steps in their order with what is told between them. */
function stepsOf(drafting: Drafting, section: DocumentSection, isHeaded: boolean): readonly Fields[] {
  const { name } = section;
  const units = withTheirItems(section.units);
  const steps: Fields[] = isHeaded
    ? [{ id: freeId(name, drafting.ids), kind: "section", title: name, source: sourceOf(drafting, section) }]
    : [];
  const warns = (unit: PassageUnit) =>
    unit.role === "step"
      ? sentencesOf(section, unit).every(forbids)
      : unit.under === undefined && (isWarning(unit) || (unit.role === "sentence" && forbids(unit.text)));
  for (const unit of units.filter(warns))
    steps.push(
      ...(unit.role === "step"
        ? actsOf(drafting, section, unit)
        : [told(drafting, section, "warning", unit.text)]),
    );
  let prose = "";
  for (const unit of [...units.filter((one) => !warns(one)), undefined]) {
    const isProse = unit !== undefined && ["sentence", "item", "row"].includes(unit.role) && !unit.under;
    const longer = isProse ? joined(prose, ended(unit.text)) : prose;
    const isFull = speechSeconds(longer, drafting.language) > STEP_SECONDS_MAX;
    if (prose !== "" && (unit?.role === "step" || unit === undefined || isFull)) {
      steps.push(told(drafting, section, "informational", prose));
      prose = isProse ? ended(unit.text) : "";
    } else prose = longer;
    if (unit?.role === "step") steps.push(...actsOf(drafting, section, unit));
  }
  return steps;
}

/** What leads in to items is said with them: "Do not move them if there is:" alone would say something else. */
function withTheirItems(units: readonly PassageUnit[]): readonly PassageUnit[] {
  const told: PassageUnit[] = [];
  for (const unit of units) {
    const last = told.at(-1);
    const goesOn = last !== undefined && last.role !== "step" && !/[.!?]$/.test(last.text.split("\n")[0]!);
    if (unit.role !== "item" || unit.under !== undefined || !goesOn) told.push(unit);
    else told.splice(-1, 1, { ...last, text: `${last.text}\n${ended(unit.text)}` });
  }
  return told;
}

function told(drafting: Drafting, section: DocumentSection, content_type: string, text: string): Fields {
  const source = sourceOf(drafting, section);
  const id = freeId(`${section.name} ${content_type === "warning" ? "warning" : "note"}`, drafting.ids);
  return { id, kind: "instruct", title: source.place, text, content_type, source };
}

/** One step of the document: a step for each sentence that asks for an act, behind what it forbids. */
function actsOf(drafting: Drafting, section: DocumentSection, step: StepUnit): readonly Fields[] {
  const sentences = sentencesOf(section, step);
  const forbidden = sentences.filter(forbids);
  const acts: string[] = [];
  // What is told behind a condition may hang on it: alone it would always be done.
  for (const sentence of sentences.filter((one) => !forbids(one)))
    if (
      acts.length === 0 ||
      (opensAct(sentence) && !(CONDITION.test(acts.at(-1)!) && !CONDITION.test(sentence)))
    )
      acts.push(sentence);
    else acts.push(joined(acts.pop()!, sentence));
  const source = sourceOf(drafting, section, step.number);
  const warning = forbidden.join(" ");
  const common = (text: string) => ({
    id: freeId(`${section.name} ${step.number}`, drafting.ids),
    title: source.place,
    text,
    source,
  });
  if (acts.length === 0) return [{ ...common(warning), kind: "instruct", content_type: "warning" }];
  return acts.map((text, at) => ({
    ...common(text),
    ...(at === 0 && warning !== "" && { warning }),
    ...(recorded(drafting, text) ?? {
      kind: "instruct",
      ...(CHECKS.test(text) && { content_type: "verification" }),
    }),
  }));
}

function sentencesOf(section: DocumentSection, step: StepUnit): readonly string[] {
  const below = section.units.filter(({ under }: PassageUnit) => under === step);
  return [step, ...below].flatMap(({ text }) => splitSentences(ended(text))).map((one) => one.trim());
}

/** Whether a sentence warns or forbids. An English one that begins with "no" may tell of something. */
function forbids(sentence: string): boolean {
  return isWarningText(sentence) || WARNING.test(sentence) || FORBIDS.test(sentence);
}

const FORBIDS = pattern("iu")`
  ^(?:nicht|nie|niemals|kein\p{L}{0,2}|nunca|jamás|jamais|nigdy|не|ніколи)(?!\p{L})|^n['’]\p{L}
  |^no (?:se )?\p{L}{2,20}(?:a|e|an|en|as|es) (?:el|la|los|las|lo|un|una|en|con|sin|al|a|de|del|su|nada)(?!\p{L})
  |^ne \p{L}{2,20}(?:ez|er) |^\p{L}{2,20} sie [^,.]{0,80}?(?<!\p{L})(?:nicht|nie|niemals|kein\p{L}{0,2})(?!\p{L})
`;

/** An item that no sentence begins with stands on a line of its own. */
function joined(before: string, text: string): string {
  return before === "" ? text : `${before}${/^\p{Lu}/u.test(text) ? " " : "\n"}${text}`;
}

function opensAct(sentence: string): boolean {
  const [verb] = actsIn(sentence);
  return CONDITION.test(sentence) || (verb !== undefined && sentence.toLowerCase().startsWith(verb));
}

const CONDITION =
  /^(?:if|when|unless|wenn|falls|sofern|sobald|si|cuando|quand|lorsque|jeśli|jeżeli|gdy|якщо|коли)(?!\p{L})/iu;
const CHECKS = /^(?:check|make sure|verify)\b/i;
/** Plainly says that a value is to be read or written down. */
const RECORDS = pattern("iu")`
  ^(?:read|record|note|log|measure|write|lesen|notieren|messen|schreiben|erfassen|lea|anote|registre|mida|lisez|relevez
  |notez|mesurez|odczytaj|zapisz|zanotuj|zmierz|зчитайте|запишіть|занотуйте|виміряйте)(?!\p{L}).{0,80}?(?<!\p{L})
  (temperatures?|pressures?|readings?|weights?|levels?|values?|times?|numbers?|voltages?|currents?|humidity|doses?|rates?
  |counts?|thermometers?|gauges?|meters?|displays?|temperatur(?:en|a|ę|у|и)?|druck|drücke|werte?|gewicht|füllstand|spannung
  |zählerstand|drehzahl|presión|peso|nivel|valor|tensión|température|pression|poids|niveau|valeur|ciśnienie|wagę|poziom
  |wartość|napięcie|тиск|вагу|рівень|значення|напругу)(?!\p{L})
`;
/** "In Pa", "in degrees Celsius". */
const IN_UNIT = /(?<!\p{L})(?:in|en|w|у|в) ((?:\S{1,20} ){0,2}\S{1,20}?)[.,;]?$/iu;

/** A record of what a sentence says is to be read: a number where it names one unit, words otherwise. */
function recorded(drafting: Drafting, text: string): Fields | undefined {
  const [, thing] = RECORDS.exec(text) ?? [];
  if (thing === undefined) return undefined;
  const units = new Set(
    quantitiesIn(text).flatMap(({ dimension, unit }) =>
      unit === NO_UNIT || dimension === "time" ? [] : [unit.name],
    ),
  );
  const named = unitIn(IN_UNIT.exec(text)?.[1] ?? "")?.name;
  if (units.size === 0 && named !== undefined) units.add(named);
  const [unit] = units;
  const isNumber = units.size === 1 && !/[^s]s$/.test(thing);
  return {
    kind: "record",
    variable: freeId(`read ${thing}`, drafting.ids).replaceAll("-", "_"),
    ...(isNumber ? { value_type: "number", unit } : { value_type: "text" }),
  };
}

function sourceOf({ document }: Drafting, section: DocumentSection, step?: number) {
  const { revision, sourceFile } = document;
  return {
    document: sourceFile,
    ...(revision !== undefined && { revision }),
    place: placeOf(section, step),
  };
}
