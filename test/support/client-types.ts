/** Reads the declarations of the official client library and derives sample values of its parameter types. */
import { readFileSync } from 'node:fs';
import {
  type Declaration,
  parseSync,
  type TSType,
  type TSInterfaceDeclaration,
  type TSSignature,
  type TSTypeReference,
} from 'oxc-parser';

/** A parameter type, as far as sample values need it. */
type ClientType =
  | { kind: 'value'; value: unknown }
  | { kind: 'array'; element: TypeReference }
  | { kind: 'union'; members: readonly TypeReference[] }
  | { kind: 'object'; name: string; fields: readonly Field[] };

/** A type that is resolved on use, because declarations refer to each other. */
type TypeReference = () => ClientType;

interface Field {
  name: string;
  optional: boolean;
  type: TypeReference;
}

/** A value of a type. `field` is the innermost field that distinguishes it: `ThinkingConfigAdaptive.display`. */
export interface Sample {
  field: string;
  value: unknown;
}

export const CLIENT_MODULES = ['messages', 'beta/messages'] as const;
export type ClientModule = (typeof CLIENT_MODULES)[number];

const PRIMITIVES: Readonly<Record<string, unknown>> = {
  // Matches the patterns of names and of both kinds of ids.
  TSStringKeyword: 'srvtoolu_x',
  TSNumberKeyword: 20_000,
  TSBooleanKeyword: true,
  TSNullKeyword: null,
  TSUnknownKeyword: {},
};

/** Declarations of the stable and the beta module, by module and name. */
export class ClientTypes {
  readonly #declarations = new Map<string, TSInterfaceDeclaration | TSType>();

  /** Reads the installed library in `packageFolder`. */
  constructor(packageFolder: URL) {
    for (const module of CLIENT_MODULES) {
      const url = new URL(`resources/${module}/messages.d.ts`, packageFolder);
      for (const statement of parseSync('messages.d.ts', readFileSync(url, 'utf8')).program.body) {
        if (statement.type !== 'ExportNamedDeclaration') continue;
        this.#add(module, '', statement.declaration);
      }
    }
  }

  /** Adds a declaration. `namespace` ends with a dot. */
  #add(module: ClientModule, namespace: string, declaration: Declaration | null): void {
    const prefix = `${module} ${namespace}`;
    if (declaration?.type === 'TSInterfaceDeclaration')
      this.#declarations.set(prefix + declaration.id.name, declaration);
    if (declaration?.type === 'TSTypeAliasDeclaration')
      this.#declarations.set(prefix + declaration.id.name, declaration.typeAnnotation);
    if (declaration?.type !== 'TSModuleDeclaration' || declaration.id.type !== 'Identifier') return;
    // Declarations of an ambient namespace are exported with or without the keyword.
    for (const statement of declaration.body?.body ?? [])
      this.#add(
        module,
        `${declaration.id.name}.`,
        statement.type === 'ExportNamedDeclaration' ? statement.declaration : (statement as Declaration),
      );
  }

  /**
   * Returns a minimal value of an interface or of one of its fields, then one value for each optional field and each
   * member of a union.
   */
  listSamples(module: ClientModule, name: string, field?: string): Sample[] {
    const type = this.#resolve(module, name);
    if (field === undefined) return [...listSamples(type, name)];
    const found = type.kind === 'object' ? type.fields.find((one) => one.name === field) : undefined;
    if (found === undefined) throw new Error(`${name} has no field ${field} in ${module}`);
    return [...listSamples(found.type(), `${name}.${field}`)];
  }

  /** Returns the values that the field `type` has in the members of a union or array. */
  listTypeNames(module: ClientModule, name: string, field?: string): string[] {
    const values = this.listSamples(module, name, field).flatMap(({ value }) => value);
    const types = values.flatMap((value) =>
      typeof value === 'object' && value !== null && 'type' in value ? [value.type] : [],
    );
    return [...new Set(types)].filter((type) => typeof type === 'string');
  }

  /** Returns the names of the fields of an interface. */
  listFields(module: ClientModule, name: string): string[] {
    const type = this.#resolve(module, name);
    return type.kind === 'object' ? type.fields.map((field) => field.name) : [];
  }

  #resolve(module: ClientModule, name: string): ClientType {
    const declaration = this.#declarations.get(`${module} ${name}`);
    if (declaration === undefined) throw new Error(`the client declares no ${name} in ${module}`);
    return declaration.type === 'TSInterfaceDeclaration'
      ? { kind: 'object', name, fields: this.#readFields(module, name, declaration.body.body) }
      : this.#read(module, name, declaration);
  }

  #readFields(module: ClientModule, owner: string, members: readonly TSSignature[]): Field[] {
    return members.flatMap((member) => {
      if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier') return [];
      const { name } = member.key;
      const annotation = member.typeAnnotation?.typeAnnotation;
      if (annotation === undefined) throw new Error(`${owner}.${name} has no type`);
      return [{ name, optional: member.optional, type: () => this.#read(module, `${owner}.${name}`, annotation) }];
    });
  }

  #read(module: ClientModule, owner: string, node: TSType): ClientType {
    if (node.type in PRIMITIVES) return { kind: 'value', value: PRIMITIVES[node.type] };
    const readLater = (type: TSType) => () => this.#read(module, owner, type);
    if (node.type === 'TSLiteralType' && node.literal.type === 'Literal')
      return { kind: 'value', value: node.literal.value };
    if (node.type === 'TSUnionType') return { kind: 'union', members: node.types.map(readLater) };
    if (node.type === 'TSArrayType') return { kind: 'array', element: readLater(node.elementType) };
    if (node.type === 'TSParenthesizedType' || node.type === 'TSTypeOperator')
      return this.#read(module, owner, node.typeAnnotation);
    if (node.type === 'TSTypeLiteral')
      return { kind: 'object', name: owner, fields: this.#readFields(module, owner, node.members) };
    // `string & {}` is how the library opens an enumeration.
    if (node.type === 'TSIntersectionType') return this.#read(module, owner, node.types[0]!);
    if (node.type === 'TSTypeReference') return this.#readReference(module, node, readLater);
    throw new Error(`${owner} has a type that cannot be read: ${node.type}`);
  }

  #readReference(
    module: ClientModule,
    { typeName, typeArguments }: TSTypeReference,
    readLater: (type: TSType) => TypeReference,
  ): ClientType {
    if (typeName.type === 'Identifier')
      return typeName.name === 'Array'
        ? { kind: 'array', element: readLater(typeArguments!.params[0]!) }
        : this.#resolve(module, typeName.name);
    if (typeName.type === 'TSQualifiedName' && typeName.left.type === 'Identifier')
      return this.#resolveQualified(module, typeName.left.name, typeName.right.name);
    throw new Error(`a type reference cannot be read: ${typeName.type}`);
  }

  #resolveQualified(module: ClientModule, namespace: string, name: string): ClientType {
    if (namespace === 'MessagesAPI') return this.#resolve('messages', name);
    if (namespace === 'BetaMessagesAPI') return this.#resolve('beta/messages', name);
    // The names of beta versions are strings of another module.
    if (namespace === 'BetaAPI') return { kind: 'value', value: 'x' };
    return this.#resolve(module, `${namespace}.${name}`);
  }
}

function* listSamples(type: ClientType, field: string): Generator<Sample> {
  switch (type.kind) {
    case 'value':
      yield { field, value: type.value };
      return;
    case 'array':
      for (const sample of listSamples(type.element(), field)) yield { field: sample.field, value: [sample.value] };
      return;
    case 'union':
      for (const member of type.members) yield* listSamples(member(), field);
      return;
    case 'object': {
      const minimal: Record<string, unknown> = {};
      for (const { name, optional, type: fieldType } of type.fields)
        if (!optional) minimal[name] = firstSample(fieldType(), name);
      yield { field: type.name, value: minimal };
      for (const { name, type: fieldType } of type.fields)
        for (const sample of listSamples(fieldType(), `${type.name}.${name}`))
          yield { field: sample.field, value: { ...minimal, [name]: sample.value } };
    }
  }
}

function firstSample(type: ClientType, field: string): unknown {
  const [sample] = listSamples(type, field);
  return sample?.value;
}
