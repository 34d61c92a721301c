/**
 * TypeScript declarations to JSON Schema, for the declarations that Elastic generates its client's types from the
 * published API specification with: interfaces, aliases, unions, generics, and nothing computed. An interface allows
 * exactly the properties that it lists, unless it has an index signature.
 */
import ts from "typescript";

export type Schema = Readonly<Record<string, unknown>>;

/** What stands for the type parameters of the declaration at hand. */
type Bindings = ReadonlyMap<string, Schema>;

interface ObjectShape {
  readonly properties: Record<string, Schema>;
  readonly required: string[];
  additional: Schema | false;
}

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

/** Types that are numbers to TypeScript and more than that to the API. */
const INTEGERS = ["integer", "long", "short", "byte", "uint", "ulong"];

export class SchemaWriter {
  /** Schemas by the names of their types; `reference` points here. */
  readonly definitions: Record<string, Schema> = {};
  readonly #kept: Readonly<Record<string, readonly string[]>>;
  readonly #declarations = new Map<string, Declaration>();

  /** `kept` cuts big types down: the properties of an interface, or the alternatives of a union, that stay. */
  constructor(file: ts.SourceFile, kept: Readonly<Record<string, readonly string[]>>) {
    this.#kept = kept;
    for (const statement of file.statements) {
      if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
        this.#declarations.set(statement.name.text, statement);
    }
  }

  /** The properties of a request, those of what it extends included. */
  membersOf(name: string): {
    readonly properties: Readonly<Record<string, Schema>>;
    readonly required: readonly string[];
  } {
    const declaration = this.#declaration(name);
    return this.#shapeOf(declaration, this.#bind(declaration, []));
  }

  /** A schema that points to the definition of a type, which is written down if it is not yet. */
  reference(name: string, args: readonly Schema[] = []): Schema {
    if (INTEGERS.includes(name)) return { type: "integer" };
    if (name === "float" || name === "double") return { type: "number" };
    if (name === "Date") return { type: "string" };
    const declaration = this.#declaration(name);
    const bindings = this.#bind(declaration, args);
    const key = [name, ...args.map((arg) => JSON.stringify(arg))].join("_").replace(/\W+/g, "_");
    if (!Object.hasOwn(this.definitions, key)) {
      this.definitions[key] = {};
      this.definitions[key] = ts.isInterfaceDeclaration(declaration)
        ? render(this.#shapeOf(declaration, bindings))
        : this.#schemaOf(this.#cut(declaration), bindings);
    }
    return { $ref: `#/definitions/${key}` };
  }

  /** What an alias stands for, without the alternatives that were cut. */
  #cut({ name, type }: ts.TypeAliasDeclaration): ts.TypeNode {
    const kept = this.#kept[name.text];
    if (kept === undefined || !ts.isUnionTypeNode(type)) return type;
    return ts.factory.createUnionTypeNode(type.types.filter((one) => kept.includes(one.getText())));
  }

  #declaration(name: string): Declaration {
    const declaration = this.#declarations.get(name);
    if (declaration === undefined) throw new Error(`the client declares no type ${name}`);
    return declaration;
  }

  /** Type parameters with their arguments, their defaults, or anything. */
  #bind(declaration: Declaration, args: readonly Schema[]): Bindings {
    return new Map(
      (declaration.typeParameters ?? []).map((parameter, index) => [
        parameter.name.text,
        args[index] ?? (parameter.default === undefined ? {} : this.#schemaOf(parameter.default, new Map())),
      ]),
    );
  }

  #shapeOf(declaration: Declaration, bindings: Bindings): ObjectShape {
    if (!ts.isInterfaceDeclaration(declaration)) return this.#shapeOfType(declaration.type, bindings);
    const shape: ObjectShape = { properties: {}, required: [], additional: false };
    for (const base of (declaration.heritageClauses ?? []).flatMap((clause) => [...clause.types])) {
      const name = base.expression.getText();
      const args = (base.typeArguments ?? []).map((one) => this.#schemaOf(one, bindings));
      const above = this.#declaration(name);
      include(shape, this.#shapeOf(above, this.#bind(above, args)));
    }
    const kept = this.#kept[declaration.name.text];
    include(shape, this.#shapeOfMembers(declaration.members, bindings, kept));
    return shape;
  }

  #shapeOfType(type: ts.TypeNode, bindings: Bindings): ObjectShape {
    if (ts.isTypeLiteralNode(type)) return this.#shapeOfMembers(type.members, bindings);
    if (ts.isIntersectionTypeNode(type)) {
      const shape: ObjectShape = { properties: {}, required: [], additional: false };
      for (const part of type.types) include(shape, this.#shapeOfType(part, bindings));
      return shape;
    }
    if (ts.isTypeReferenceNode(type)) {
      const declaration = this.#declaration(type.typeName.getText());
      const args = (type.typeArguments ?? []).map((one) => this.#schemaOf(one, bindings));
      return this.#shapeOf(declaration, this.#bind(declaration, args));
    }
    throw new Error(`no object: ${type.getText()}`);
  }

  #shapeOfMembers(
    members: ts.NodeArray<ts.TypeElement>,
    bindings: Bindings,
    kept?: readonly string[],
  ): ObjectShape {
    const shape: ObjectShape = { properties: {}, required: [], additional: false };
    for (const member of members) {
      if (ts.isIndexSignatureDeclaration(member)) shape.additional = this.#schemaOf(member.type, bindings);
      else if (ts.isPropertySignature(member)) {
        const name = ts.isStringLiteral(member.name) ? member.name.text : member.name.getText();
        if (kept?.includes(name) === false) continue;
        shape.properties[name] = member.type === undefined ? {} : this.#schemaOf(member.type, bindings);
        if (member.questionToken === undefined) shape.required.push(name);
      } else throw new Error(`no property: ${member.getText()}`);
    }
    return shape;
  }

  #schemaOf(type: ts.TypeNode, bindings: Bindings): Schema {
    if (ts.isParenthesizedTypeNode(type)) return this.#schemaOf(type.type, bindings);
    if (ts.isArrayTypeNode(type)) return { type: "array", items: this.#schemaOf(type.elementType, bindings) };
    if (ts.isUnionTypeNode(type)) return union(type.types.map((one) => this.#schemaOf(one, bindings)));
    if (ts.isLiteralTypeNode(type)) return { const: JSON.parse(literalText(type)) as unknown };
    if (ts.isTypeReferenceNode(type)) return this.#schemaOfReference(type, bindings);
    if (ts.isTypeLiteralNode(type) || ts.isIntersectionTypeNode(type))
      return render(this.#shapeOfType(type, bindings));
    if (ts.isTupleTypeNode(type))
      return { type: "array", items: union(type.elements.map((one) => this.#schemaOf(one, bindings))) };
    return keyword(type);
  }

  #schemaOfReference(type: ts.TypeReferenceNode, bindings: Bindings): Schema {
    const name = type.typeName.getText();
    const bound = bindings.get(name);
    if (bound !== undefined) return bound;
    const [first, second] = type.typeArguments ?? [];
    if (name === "Partial") return this.#schemaOf(first!, bindings);
    if (name === "Record") return { type: "object", additionalProperties: this.#schemaOf(second!, bindings) };
    if (name === "Array") return { type: "array", items: this.#schemaOf(first!, bindings) };
    return this.reference(
      name,
      (type.typeArguments ?? []).map((one) => this.#schemaOf(one, bindings)),
    );
  }
}

function include(shape: ObjectShape, more: ObjectShape): void {
  Object.assign(shape.properties, more.properties);
  shape.required.push(...more.required.filter((name) => !shape.required.includes(name)));
  if (more.additional !== false) shape.additional = more.additional;
}

function render({ properties, required, additional }: ObjectShape): Schema {
  return {
    type: "object",
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: additional,
  };
}

/** Literals alone become an enumeration. `any` among alternatives is left out: it would let everything through. */
function union(all: readonly Schema[]): Schema {
  const schemas = all.filter((schema) => Object.keys(schema).length > 0);
  if (schemas.length === 0) return {};
  if (schemas.every((schema) => Object.hasOwn(schema, "const")))
    return { enum: schemas.map((schema) => schema.const) };
  return { anyOf: schemas };
}

function literalText(type: ts.LiteralTypeNode): string {
  return ts.isStringLiteral(type.literal) ? JSON.stringify(type.literal.text) : type.literal.getText();
}

function keyword(type: ts.TypeNode): Schema {
  switch (type.kind) {
    case ts.SyntaxKind.StringKeyword:
      return { type: "string" };
    case ts.SyntaxKind.NumberKeyword:
      return { type: "number" };
    case ts.SyntaxKind.BooleanKeyword:
      return { type: "boolean" };
    case ts.SyntaxKind.AnyKeyword:
    case ts.SyntaxKind.UnknownKeyword:
      return {};
    default:
      throw new Error(`a type that this cannot read: ${type.getText()}`);
  }
}
