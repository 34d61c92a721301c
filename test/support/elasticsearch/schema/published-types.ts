/**
 * Types of Elastic's published API schema to JSON Schema. The types are described by the `metamodel` of
 * elasticsearch-specification; of a request they say which properties each object has, which of them it must have,
 * and where exactly one of several has to be there.
 */
import type {
  Enum,
  Inherits,
  Interface,
  Property,
  Request,
  TypeAlias,
  TypeDefinition,
  TypeName,
  ValueOf,
} from "@elastic/request-converter/dist/metamodel.js";
import type { Schema } from "./json-schema.js";

/**
 * The keyword for "exactly one property besides these": an object that says by a property's name what it is, such as
 * a query, or that holds one field's name, such as `terms`. `oneBesidesKeyword` of the checker gives it its meaning.
 */
export const ONE_BESIDES = "oneBesides";

/** What stands for the type parameters of the type at hand, by their qualified names. */
type Bindings = ReadonlyMap<string, Schema>;

const NOTHING_BOUND: Bindings = new Map();

interface ObjectShape {
  readonly properties: Record<string, Schema>;
  /** Names of which one at least has to be there: a property's own and its aliases. */
  readonly required: (readonly string[])[];
  /** What properties that are not listed have to be; `false` where there are none. */
  additional: Schema | false;
  /** Whether exactly one property that is not listed has to be there. */
  hasOneAdditional: boolean;
}

const BUILTINS: Readonly<Record<string, Schema>> = {
  string: { type: "string" },
  boolean: { type: "boolean" },
  number: { type: "number" },
  null: { type: "null" },
  object: { type: "object" },
};

/** Types that the schema calls numbers and names for what they are. */
const INTEGERS = ["integer", "long", "short", "byte", "uint", "ulong"];

export class PublishedTypes {
  /** Schemas by the qualified names of their types; `reference` points here. */
  readonly definitions: Record<string, Schema> = {};
  readonly #types: ReadonlyMap<string, TypeDefinition>;
  readonly #kept: Readonly<Record<string, readonly string[]>>;

  /**
   * `kept` cuts big types down: the properties of an object, or the alternatives of a union, that stay. It has the
   * client's names for types and alternatives.
   */
  constructor(types: readonly TypeDefinition[], kept: Readonly<Record<string, readonly string[]>>) {
    this.#types = new Map(types.map((type) => [qualified(type.name), type]));
    this.#kept = kept;
  }

  /** The definition of a type. */
  definition(name: TypeName): TypeDefinition {
    const type = this.#types.get(qualified(name));
    if (type === undefined) throw new Error(`the published schema has no type ${qualified(name)}`);
    return type;
  }

  /** A schema that points to the definition of a type, which is written down if it is not yet. */
  reference(name: TypeName, args: readonly Schema[] = []): Schema {
    if (name.namespace === "_builtins") return builtin(name.name);
    if (name.namespace === "_types" && INTEGERS.includes(name.name)) return { type: "integer" };
    const type = this.definition(name);
    const key = [qualified(name), ...args.map((arg) => JSON.stringify(arg).replace(/\W+/g, "_"))].join("_");
    if (!Object.hasOwn(this.definitions, key)) {
      this.definitions[key] = {};
      this.definitions[key] = this.#define(type, bind(type, args));
    }
    return { $ref: `#/definitions/${key}` };
  }

  /** The schema of a value; of an open type parameter it is anything. */
  schemaOf(value: ValueOf, bindings: Bindings = NOTHING_BOUND): Schema {
    switch (value.kind) {
      case "user_defined_value":
        return {};
      case "literal_value":
        return { const: value.value };
      case "array_of":
        return { type: "array", items: this.schemaOf(value.value, bindings) };
      case "union_of":
        return union(value.items.map((item) => this.schemaOf(item, bindings)));
      case "dictionary_of":
        return {
          type: "object",
          additionalProperties: this.schemaOf(value.value, bindings),
          ...(value.singleKey ? { [ONE_BESIDES]: [] } : {}),
        };
      case "instance_of": {
        const bound = bindings.get(qualified(value.type));
        return (
          bound ??
          this.reference(
            value.type,
            value.generics?.map((one) => this.schemaOf(one, bindings)),
          )
        );
      }
    }
  }

  /** The body of a request, with anything for a document; `undefined` where there is none. */
  bodyOf(request: Request): Schema | undefined {
    const bindings = bind(request, []);
    if (request.body.kind === "no_body") return undefined;
    if (request.body.kind === "value") return this.schemaOf(request.body.value, bindings);
    const shape = emptyShape();
    this.#addProperties(shape, request.body.properties, bindings);
    return render(shape);
  }

  propertiesOf(name: TypeName): readonly Property[] {
    return (this.definition(name) as Interface).properties;
  }

  #define(type: TypeDefinition, bindings: Bindings): Schema {
    switch (type.kind) {
      case "enum":
        return enumeration(type);
      case "type_alias":
        return this.#alias(type, bindings);
      case "interface":
        return this.#object(type, bindings);
      default:
        throw new Error(`${qualified(type.name)} is no type of a value`);
    }
  }

  #alias(type: TypeAlias, bindings: Bindings): Schema {
    const value = this.#cut(type);
    if (type.variants?.kind === "internal_tag" && value.kind === "union_of")
      return this.#tagged(value.items, type.variants, bindings);
    return this.schemaOf(value, bindings);
  }

  /** What an alias stands for, without the alternatives that were cut. */
  #cut({ name, type }: TypeAlias): ValueOf {
    const kept = this.#keptOf(name);
    if (kept === undefined || type.kind !== "union_of") return type;
    return {
      ...type,
      items: type.items.filter((item) => item.kind === "instance_of" && kept.includes(clientName(item.type))),
    };
  }

  /**
   * Alternatives that a property's value tells apart. Each is tried for its own value only, so that a mistake in it is
   * told as that. Variants that plugins add (`nonExhaustive`) are not let through: we use none.
   */
  #tagged(
    items: readonly ValueOf[],
    { tag, defaultTag }: { readonly tag: string; readonly defaultTag?: string },
    bindings: Bindings,
  ): Schema {
    const variants = items.map((item) => ({
      value: this.#tagOf(item, tag),
      schema: this.schemaOf(item, bindings),
    }));
    const choices = variants.map(({ value, schema }) => ({
      if: { properties: { [tag]: { const: value } }, ...(value === defaultTag ? {} : { required: [tag] }) },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: schema,
    }));
    return {
      type: "object",
      ...(defaultTag === undefined ? { required: [tag] } : {}),
      properties: { [tag]: { enum: variants.map(({ value }) => value) } },
      allOf: choices,
    };
  }

  /** The client writes an object with further properties as two types, of which `…Keys` has the listed ones. */
  #keptOf(name: TypeName): readonly string[] | undefined {
    return this.#kept[clientName(name)] ?? this.#kept[`${clientName(name)}Keys`];
  }

  #tagOf(item: ValueOf, tag: string): unknown {
    const type = item.kind === "instance_of" ? this.definition(item.type) : undefined;
    const value = type?.kind === "interface" ? this.#property(type, tag)?.type : undefined;
    if (value?.kind !== "literal_value") throw new Error(`no literal ${tag} in ${JSON.stringify(item)}`);
    return value.value;
  }

  /** A property of an object or of what it extends. */
  #property({ properties, inherits }: Interface, name: string): Property | undefined {
    const own = properties.find((property) => property.name === name);
    if (own !== undefined || inherits === undefined) return own;
    return this.#property(this.definition(inherits.type) as Interface, name);
  }

  #object(type: Interface, bindings: Bindings): Schema {
    const shape = this.#shapeOf(type, bindings);
    const schema = render(shape, this.#besides(type, shape));
    if (type.shortcutProperty === undefined) return schema;
    const shortcut = this.#property(type, type.shortcutProperty);
    if (shortcut === undefined) throw new Error(`${qualified(type.name)} has no ${type.shortcutProperty}`);
    return union([schema, this.schemaOf(shortcut.type, bindings)]);
  }

  /** Besides which properties exactly one has to be there; `undefined` where any number may. */
  #besides({ variants, properties }: Interface, shape: ObjectShape): readonly string[] | undefined {
    if (variants?.kind === "container") {
      const own = properties.filter((property) => !property.containerProperty).flatMap(names);
      return Object.keys(shape.properties).filter((name) => !own.includes(name));
    }
    return shape.hasOneAdditional ? Object.keys(shape.properties) : undefined;
  }

  #shapeOf(type: Interface, bindings: Bindings): ObjectShape {
    const shape = emptyShape();
    if (type.inherits !== undefined) {
      const base = this.definition(type.inherits.type) as Interface;
      Object.assign(shape, this.#shapeOf(base, bind(base, this.#args(type.inherits, bindings))));
    }
    const kept = this.#keptOf(type.name);
    const properties = type.properties.filter(({ name }) => kept?.includes(name) !== false);
    this.#addProperties(shape, properties, bindings);
    for (const behavior of type.behaviors ?? []) this.#addBehavior(shape, behavior, bindings);
    return shape;
  }

  #addProperties(shape: ObjectShape, properties: readonly Property[], bindings: Bindings): void {
    for (const property of properties) {
      const schema = this.schemaOf(property.type, bindings);
      for (const name of names(property)) shape.properties[name] = schema;
      if (property.required && !shape.required.some(([name]) => name === property.name))
        shape.required.push(names(property));
    }
  }

  #addBehavior(shape: ObjectShape, behavior: Inherits, bindings: Bindings): void {
    switch (behavior.type.name) {
      case "AdditionalProperties":
      case "AdditionalProperty":
        shape.additional = this.#args(behavior, bindings)[1]!;
        shape.hasOneAdditional = behavior.type.name === "AdditionalProperty";
        return;
      case "OverloadOf":
        // Says of which type this one is a narrower form; its properties stand here.
        return;
      default:
        throw new Error(`a behaviour that this cannot read: ${qualified(behavior.type)}`);
    }
  }

  #args({ generics = [] }: Inherits, bindings: Bindings): Schema[] {
    return generics.map((one) => this.schemaOf(one, bindings));
  }
}

/** `_types.query_dsl.TermQuery`. */
function qualified({ namespace, name }: TypeName): string {
  return `${namespace}.${name}`;
}

/** `QueryDslTermQuery` for `_types.query_dsl.TermQuery`: the client leaves out what begins with an underscore. */
function clientName({ namespace, name }: TypeName): string {
  const words = namespace.split(".").filter((part) => !part.startsWith("_"));
  const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
  return [...words.flatMap((word) => word.split("_")), name].map(capital).join("");
}

/** Type parameters with their arguments, or anything. */
function bind(type: TypeDefinition, args: readonly Schema[]): Bindings {
  const generics = "generics" in type ? (type.generics ?? []) : [];
  return new Map(generics.map((generic, index) => [qualified(generic), args[index] ?? {}]));
}

function names({ name, aliases = [] }: { readonly name: string; readonly aliases?: string[] }): string[] {
  return [name, ...aliases];
}

function builtin(name: string): Schema {
  const schema = BUILTINS[name];
  if (schema === undefined) throw new Error(`a builtin type that this cannot read: ${name}`);
  return schema;
}

/** An open enumeration takes any text. One that was a boolean once takes booleans as well. */
function enumeration({ members, isOpen }: Enum): Schema {
  if (isOpen === true) return { type: "string" };
  const values: unknown[] = members.flatMap(names);
  for (const value of [true, false]) if (values.includes(String(value))) values.push(value);
  return { enum: values };
}

function union(schemas: readonly Schema[]): Schema {
  if (schemas.some((schema) => Object.keys(schema).length === 0)) return {};
  if (schemas.every((schema) => Object.hasOwn(schema, "const")))
    return { enum: schemas.map((schema) => schema.const) };
  return { anyOf: schemas };
}

function emptyShape(): ObjectShape {
  return { properties: {}, required: [], additional: false, hasOneAdditional: false };
}

function render({ properties, required, additional }: ObjectShape, besides?: readonly string[]): Schema {
  const plain = required.filter((one) => one.length === 1).flat();
  const aliased = required.filter((one) => one.length > 1);
  return {
    type: "object",
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(plain.length === 0 ? {} : { required: plain }),
    ...(aliased.length === 0
      ? {}
      : { allOf: aliased.map((some) => ({ anyOf: some.map((name) => ({ required: [name] })) })) }),
    ...(besides === undefined ? {} : { [ONE_BESIDES]: besides }),
    additionalProperties: additional,
  };
}
