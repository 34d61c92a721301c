import type { TypeDefinition, ValueOf } from "@elastic/request-converter/dist/metamodel.js";
import { describe, expect, it } from "vitest";
import { apiRequest } from "../router.js";
import { PublishedTypes } from "./published-types.js";
import { RequestCheck } from "./request-check.js";

const named = (name: string) => ({ namespace: "t", name });
const of = (name: string, generics?: ValueOf[]): ValueOf => ({
  kind: "instance_of",
  type: named(name),
  ...(generics === undefined ? {} : { generics }),
});
const builtin = (name: string): ValueOf => ({
  kind: "instance_of",
  type: { namespace: "_builtins", name },
});
const [TEXT, NUMBER] = [builtin("string"), builtin("number")];
const property = (name: string, type: ValueOf, more: object = {}) => ({
  name,
  type,
  required: false,
  ...more,
});
const behavior = (name: string, value: ValueOf) => ({
  type: { namespace: "_spec_utils", name },
  generics: [TEXT, value],
});

/** A type as the published schema has it, of which only what is told matters. */
function type(kind: string, name: string, more: object): TypeDefinition {
  const base = kind === "interface" ? { properties: [] } : {};
  return { kind, name: named(name), specLocation: "", ...base, ...more } as unknown as TypeDefinition;
}

/** Whether the body of a request may be each of these, when it is the type `T`. */
function verdicts(types: readonly TypeDefinition[], bodies: readonly unknown[]): boolean[] {
  const converted = new PublishedTypes(types, {});
  const [body, anything] = [converted.reference(named("T")), {}];
  const check = new RequestCheck({
    source: { package: "p", version: "1", licence: "l" },
    endpoints: { e: { query: {}, body } },
    lines: { bulkAction: anything, bulkUpdate: anything, searchHeader: anything, searchBody: anything },
    definitions: converted.definitions,
  });
  const url = new URL("http://localhost/e");
  return bodies.map(
    (one) => check.problems("e", apiRequest("PUT", url, JSON.stringify(one), {})).length === 0,
  );
}

describe("a published type", () => {
  it.each<readonly [what: string, types: TypeDefinition[], taken: unknown[], refused: unknown[]]>([
    [
      "has what it inherits, and fills in its parameters",
      [
        type("interface", "T", {
          inherits: { type: named("Base"), generics: [of("Few", [NUMBER])] },
          properties: [property("own", TEXT, { required: true })],
        }),
        type("interface", "Base", {
          generics: [{ namespace: "t.Base", name: "V" }],
          properties: [property("value", { kind: "instance_of", type: { namespace: "t.Base", name: "V" } })],
        }),
        type("type_alias", "Few", {
          generics: [{ namespace: "t.Few", name: "I" }],
          type: { kind: "array_of", value: { kind: "instance_of", type: { namespace: "t.Few", name: "I" } } },
        }),
      ],
      [{ own: "a" }, { own: "a", value: [1, 2] }],
      [{}, { own: 1 }, { own: "a", value: 1 }, { own: "a", value: ["b"] }, { own: "a", other: 1 }],
    ],
    [
      "may be written as its shortcut",
      [
        type("interface", "T", {
          properties: [property("value", TEXT, { required: true }), property("boost", NUMBER)],
          shortcutProperty: "value",
        }),
      ],
      ["a", { value: "a" }, { value: "a", boost: 2 }],
      [1, ["a"], { boost: 2 }, {}],
    ],
    [
      "may have a property under another name, where one of them has to be there",
      [type("interface", "T", { properties: [property("a", NUMBER, { aliases: ["b"], required: true })] })],
      [{ a: 1 }, { b: 1 }],
      [{}, { c: 1 }, { b: "x" }],
    ],
    [
      "has exactly one variant beside what belongs to the container",
      [
        type("interface", "T", {
          variants: { kind: "container" },
          properties: [
            property("meta", NUMBER, { containerProperty: true, aliases: ["m"] }),
            property("a", TEXT),
            property("b", TEXT),
          ],
        }),
      ],
      [{ a: "x" }, { b: "x", meta: 1 }, { b: "x", m: 1 }],
      [{}, { meta: 1 }, { a: "x", b: "x" }, { c: "x" }],
    ],
    [
      "has as many further properties as there are",
      [
        type("interface", "T", {
          properties: [property("a", TEXT)],
          behaviors: [behavior("AdditionalProperties", NUMBER)],
        }),
      ],
      [{}, { a: "x" }, { a: "x", b: 1, c: 2 }],
      [{ a: 1 }, { b: "x" }],
    ],
    [
      "has exactly one further property, an heir as well",
      [
        type("interface", "T", { inherits: { type: named("Base") }, properties: [property("z", NUMBER)] }),
        type("interface", "Base", {
          properties: [property("a", TEXT)],
          behaviors: [behavior("AdditionalProperty", NUMBER)],
        }),
      ],
      [{ b: 1 }, { a: "x", z: 2, b: 1 }],
      [{}, { a: "x" }, { a: "x", z: 2 }, { b: 1, c: 2 }, { b: "x" }],
    ],
    [
      "has one key where a dictionary has",
      [
        type("type_alias", "T", {
          type: { kind: "dictionary_of", key: TEXT, value: NUMBER, singleKey: true },
        }),
      ],
      [{ a: 1 }],
      [{}, { a: 1, b: 2 }, { a: "x" }],
    ],
    [
      "is the variant that its tag names, or the one that needs none",
      [
        type("type_alias", "T", {
          type: { kind: "union_of", items: [of("One"), of("Two")] },
          variants: { kind: "internal_tag", tag: "type", defaultTag: "two" },
        }),
        type("interface", "One", {
          properties: [
            property("type", { kind: "literal_value", value: "one" }, { required: true }),
            property("a", TEXT),
          ],
        }),
        type("interface", "Two", {
          properties: [property("type", { kind: "literal_value", value: "two" }), property("b", TEXT)],
        }),
      ],
      [{ type: "one", a: "x" }, { type: "two", b: "x" }, { b: "x" }, {}],
      [{ a: "x" }, { type: "one", b: "x" }, { type: "three" }, "one"],
    ],
    [
      "is one of its members by name, by alias, and as a boolean where it was one",
      [type("enum", "T", { members: [{ name: "true" }, { name: "wait", aliases: ["w"] }] })],
      ["true", true, "wait", "w"],
      ["false", false, "WAIT", 1],
    ],
    [
      "is any text where the enumeration is open",
      [type("enum", "T", { isOpen: true, members: [{ name: "a" }] })],
      ["a", "b"],
      [1, true, null],
    ],
    [
      "may hold itself",
      [type("interface", "T", { properties: [property("inner", of("T")), property("n", NUMBER)] })],
      [{ inner: { inner: { n: 1 } } }],
      [{ inner: { inner: { n: "x" } } }],
    ],
  ])("%s", (_what, types, taken, refused) => {
    expect(verdicts(types, [...taken, ...refused])).toEqual([
      ...taken.map(() => true),
      ...refused.map(() => false),
    ]);
  });

  it.each<readonly [what: string, types: TypeDefinition[], told: string]>([
    ["is not there", [], "has no type t.T"],
    ["has a builtin of its own", [type("type_alias", "T", { type: builtin("moon") })], "moon"],
    ["behaves in a way of its own", [type("interface", "T", { behaviors: [behavior("Odd", TEXT)] })], "Odd"],
    ["has a shortcut to nowhere", [type("interface", "T", { shortcutProperty: "x" })], "t.T has no x"],
    ["is an answer", [type("response", "T", {})], "is no type of a value"],
  ])("stops the conversion when it %s", (_what, types, told) => {
    expect(() => new PublishedTypes(types, {}).reference(named("T"))).toThrow(told);
  });
});
