/** Settings of the router, as the configuration file writes them: the routes, and how sure it must be of one. */
import { z } from "zod";

/** What answers a turn: each has its own part of the service. */
export const ROUTE_KINDS = ["knowledge", "conversational", "platform", "check", "operate", "guide"] as const;

/** Which part of the service a route leads to. */
export type RouteKind = (typeof ROUTE_KINDS)[number];

/** Those that never touch the index: what they say comes from the last answer, or from what the caller attached. */
const WITHOUT_INDEX: ReadonlySet<RouteKind> = new Set(["conversational", "platform"]);

const ROUTES_MAX = 32;
const PREFIXES_MAX = 64;

const route = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
      "a name begins with a letter and has at most 64 letters, digits, _ or -",
    )
    .describe("What callers, metrics and training data call it."),
  capability: z.enum(ROUTE_KINDS).describe("Which part of the service answers."),
  retrieval: z.boolean().describe("Whether it searches the documents."),
  model: z.enum(["main", "conversational"]).default("main").describe("Which model writes the answer."),
  prompt: z.string().min(1).optional().describe("Name of its prompt; default: that of the capability."),
  prefixes: z
    .array(z.string().trim().min(2).max(100))
    .max(PREFIXES_MAX)
    .default([])
    .describe("Beginnings of a message that decide for this route without a model."),
});

export type RouteOptions = z.infer<typeof route>;

const DEFAULT_ROUTES: readonly z.input<typeof route>[] = [
  { name: "knowledge", capability: "knowledge", retrieval: true },
  { name: "conversational", capability: "conversational", retrieval: false, model: "conversational" },
  {
    name: "platform",
    capability: "platform",
    retrieval: false,
    model: "conversational",
    prefixes: [
      "you have a project usage percentage",
      "account:",
      "billing:",
      "platform:",
      "quota:",
      "usage:",
    ],
  },
  { name: "check", capability: "check", retrieval: false },
  { name: "operate", capability: "operate", retrieval: false },
  { name: "guide", capability: "guide", retrieval: true },
];

export const routingOptions = z
  .strictObject({
    routes: z
      .array(route)
      .min(1)
      .max(ROUTES_MAX)
      .superRefine(checkRoutes)
      .prefault([...DEFAULT_ROUTES])
      .describe("The routes that a turn can take."),
    confidence_min: z
      .number()
      .min(0)
      .max(1)
      .default(0.4)
      .describe("How sure the classifier must be to decide; below, the model is asked."),
    ask_below: z
      .number()
      .min(0)
      .max(1)
      .default(0.35)
      .describe("How sure of a route the router must be in the end; below, the user is asked back."),
    classifier_file: z
      .string()
      .min(1)
      .optional()
      .describe("Classifier made by `readback routes train`. Default: the one that comes with the service."),
    log_intents: z
      .boolean()
      .default(false)
      .describe(
        "Whether the first 60 characters of each message are kept on disk with its route, for `readback routes export`. " +
          "Off, because chat text lives in memory only.",
      ),
  })
  .superRefine(({ ask_below, confidence_min }, context) => {
    if (ask_below <= confidence_min) return;
    context.addIssue({
      code: "custom",
      path: ["ask_below"],
      message: `must not be above confidence_min, which is ${confidence_min}`,
    });
  });

/** What no single route can tell: names and prefixes that are taken, rules between fields. */
function checkRoutes(routes: readonly RouteOptions[], context: z.RefinementCtx): void {
  const names = new Map<string, string>();
  const prefixes = new Map<string, string>();
  const complain = (message: string, ...path: (string | number)[]) =>
    context.addIssue({ code: "custom", path, message });
  for (const [i, { name, capability, retrieval, prefixes: own }] of routes.entries()) {
    const key = name.toLowerCase();
    if (names.has(key)) complain(`there are two routes named ${name}; capitals do not count`, i, "name");
    names.set(key, name);
    if (retrieval && WITHOUT_INDEX.has(capability))
      complain(`must be false: a ${capability} route never searches the documents`, i, "retrieval");
    if (!retrieval && capability === "knowledge")
      complain("must be true: a knowledge route answers from the documents", i, "retrieval");
    for (const [j, prefix] of own.entries()) {
      const taken = prefixes.get(prefix.toLowerCase());
      if (taken !== undefined) complain(`is a prefix of ${taken} already`, i, "prefixes", j);
      prefixes.set(prefix.toLowerCase(), name);
    }
  }
  if (!routes.some(({ capability }) => capability === "knowledge"))
    complain("there must be a route with the capability knowledge: it is taken when nothing else fits");
}
