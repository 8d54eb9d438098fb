import { parseSync } from 'vite';
import type { TextFile } from './tree.ts';

/** How a file names another: import, export … from, import(), import type, new URL(…, import.meta.url). */
interface ImportSite {
  /** As written; `undefined` where it is computed. */
  specifier: string | undefined;
  line: number;
  /** True for `export … from`. */
  reExport: boolean;
  /** What is taken from it, by its name there; `undefined` for everything. */
  names: readonly string[] | undefined;
}

interface Literal {
  text: string;
  line: number;
}

/** What the rules look at in one file of code. */
export interface Source extends TextFile {
  imports: ImportSite[];
  /** String and template literals; a template's holes are `${}`. */
  literals: Literal[];
  comments: { text: string; line: number; doc: boolean; alone: boolean }[];
  /** Names that other files may import, but for those passed on from a third. */
  exports: { name: string; line: number }[];
  /** Lines that read `process.env`. */
  environmentReads: number[];
  /** Lines with a test that is switched off or narrowed to. */
  switchedOff: number[];
  /**
   * Lengths in lines of the functions that have a body of their own: declarations, methods, and arrows of more than one
   * line.
   */
  functions: number[];
  syntaxError?: string;
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/**
 * Parses with the parser that Vite ships (TypeScript 7 has no JavaScript API); a file that does not parse is reported,
 * not thrown.
 */
export function readSource(file: TextFile): Source {
  const lineOf = lineFinder(file.text);
  const result = parseSync(file.path, file.text);
  const source: Source = {
    ...file,
    imports: [],
    literals: [],
    comments: [],
    exports: [],
    environmentReads: [],
    switchedOff: [],
    functions: [],
  };
  const [error] = result.errors;
  if (error) return { ...source, syntaxError: error.message };
  for (const comment of result.comments) {
    const before = file.text.slice(file.text.lastIndexOf('\n', comment.start - 1) + 1, comment.start);
    source.comments.push({
      text: comment.value,
      line: lineOf(comment.start),
      doc: comment.type === 'Block' && comment.value.startsWith('*'),
      alone: before.trim() === '',
    });
  }
  visit(result.program as unknown as Node, (node) => collect(node, source, lineOf));
  return source;
}

function collect(node: Node, source: Source, lineOf: (offset: number) => number): void {
  const line = lineOf(node.start);
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType': {
      if (node.type === 'ExportNamedDeclaration' && !node['source']) {
        source.exports.push(...exportedNames(node).map((name) => ({ name, line })));
        return;
      }
      const reExport = node.type.startsWith('Export');
      source.imports.push({ specifier: stringOf(node['source']), line, reExport, names: importedNames(node) });
      return;
    }
    case 'NewExpression': {
      const [first, second] = node['arguments'] as [Node?, Node?];
      const target = stringOf(first);
      const besideThisFile =
        second?.type === 'MemberExpression' && source.text.startsWith('import.meta.url', second.start);
      if (!besideThisFile || !target || !/\.(ts|mts|mjs|js)$/.test(target)) return;
      // Unlike in an import, a bare name is a file beside this one.
      source.imports.push({
        specifier: target.startsWith('.') ? target : `./${target}`,
        line,
        reExport: false,
        names: undefined,
      });
      return;
    }
    case 'Literal':
      if (typeof node['value'] === 'string') source.literals.push({ text: node['value'], line });
      return;
    case 'TemplateLiteral': {
      const parts = node['quasis'] as { value: { cooked: string | null; raw: string } }[];
      source.literals.push({ text: parts.map((part) => part.value.cooked ?? part.value.raw).join('${}'), line });
      return;
    }
    case 'MemberExpression':
      if (source.text.startsWith('process', node.start) && isEnvironment(node)) source.environmentReads.push(line);
      return;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      const length = lineOf(node.end) - line + 1;
      if (node['body'] && (length > 1 || node.type === 'FunctionDeclaration')) source.functions.push(length);
      return;
    }
    case 'CallExpression':
      if (switchesTestOff(node)) source.switchedOff.push(line);
      return;
    default:
  }
}

interface Name {
  name?: string;
  value?: string;
}

/** The names that an import takes, as the other file calls them; `undefined` for everything, also what is computed. */
function importedNames(node: Node): string[] | undefined {
  if (node.type === 'TSImportType') {
    const qualifier = node['qualifier'] as (Name & { left?: Name }) | null;
    const name = qualifier?.name ?? qualifier?.left?.name;
    return name === undefined ? undefined : [name];
  }
  const specifiers = node['specifiers'] as { type: string; imported?: Name; local?: Name }[] | undefined;
  if (!specifiers || specifiers.some(({ type }) => type === 'ImportNamespaceSpecifier')) return undefined;
  return specifiers.map(({ type, imported, local }) => {
    if (type === 'ImportDefaultSpecifier') return 'default';
    const name = type === 'ExportSpecifier' ? local : imported;
    return name?.name ?? name?.value ?? '';
  });
}

/** The names of an `export` without a source: of a declaration, of each part of a pattern, or of a list. */
function exportedNames(node: Node): string[] {
  const declaration = node['declaration'] as (Node & { id?: Name; declarations?: { id: Node }[] }) | null;
  const listed = node['specifiers'] as { exported: Name }[];
  if (!declaration) return listed.map(({ exported }) => exported.name ?? exported.value ?? '');
  if (!declaration.declarations) return declaration.id?.name === undefined ? [] : [declaration.id.name];
  return declaration.declarations.flatMap(({ id }) => patternNames(id));
}

function patternNames(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [pattern['name'] as string];
  const parts = (pattern['properties'] ?? pattern['elements'] ?? []) as (Node & { value?: Node; argument?: Node })[];
  return parts.filter((part) => part !== null).flatMap((part) => patternNames(part.value ?? part.argument ?? part));
}

/** Calls that narrow a run to one test, or leave one out: as a method of the runner or by an option. */
function switchesTestOff(call: Node): boolean {
  const callee = call['callee'] as Node & { name?: string; object?: { name?: string }; property?: { name?: string } };
  const runner = /^(test|it|describe|suite)$/;
  if (runner.test(callee.object?.name ?? '') && /^(only|skip|todo)$/.test(callee.property?.name ?? '')) return true;
  if (!runner.test(callee.name ?? '')) return false;
  const options = (call['arguments'] as Node[]).filter((argument) => argument.type === 'ObjectExpression');
  const settings = options.flatMap(
    (option) => option['properties'] as { key?: { name?: string }; value?: { value?: unknown } }[],
  );
  return settings.some(({ key, value }) => /^(only|skip|todo)$/.test(key?.name ?? '') && value?.value === true);
}

function isEnvironment(node: Node): boolean {
  const object = node['object'] as Node & { name?: string };
  const property = node['property'] as Node & { name?: string };
  return (
    object.type === 'Identifier' &&
    object.name === 'process' &&
    (property.name === 'env' || stringOf(property) === 'env')
  );
}

function stringOf(node: unknown): string | undefined {
  const { type, value, quasis } = (node ?? {}) as {
    type?: string;
    value?: unknown;
    quasis?: { value: { cooked: string } }[];
  };
  if (type === 'Literal' && typeof value === 'string') return value;
  return type === 'TemplateLiteral' && quasis?.length === 1 ? quasis[0]!.value.cooked : undefined;
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const key in node) {
    const child = node[key];
    if (Array.isArray(child)) {
      for (const item of child) if (isNode(item)) visit(item, see);
    } else if (isNode(child)) visit(child, see);
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
