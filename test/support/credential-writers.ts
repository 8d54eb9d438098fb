import { parseSync } from 'oxc-parser';

/** A text file of the project; its path is relative to the root. */
interface SourceFile {
  path: string;
  text: string;
}

interface Node {
  type: string;
  [field: string]: unknown;
}

/** A node with the nodes that contain it, innermost last. */
interface Place {
  node: Node;
  ancestors: readonly Node[];
}

/** Matches SQL that changes a password, an address or an authenticator app. Only what is set counts, no condition. */
const CREDENTIAL_CHANGE = new RegExp(
  [
    String.raw`update\s+idp\.users\s+set\s(?:(?!\swhere\s)[^])*?\b(?:password_hash|email|email_verified_at)\s*=`,
    String.raw`update\s+idp\.totp_factors\s+set\s(?:(?!\swhere\s)[^])*?\b(?:secret|verified_at)\s*=`,
    String.raw`(?:insert\s+into|delete\s+from)\s+idp\.totp_factors\b`,
  ].join('|'),
  'i',
);

const REVOKE = 'revokeForEvent';

const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

function listPlaces(node: Node, ancestors: readonly Node[] = []): Place[] {
  const children = Object.values(node).flat().filter(isNode);
  return [{ node, ancestors }, ...children.flatMap((child) => listPlaces(child, [...ancestors, node]))];
}

function getLiteral(node: Node): string {
  if (node.type === 'Literal') return String(node['value']);
  if (node.type !== 'TemplateLiteral') return '';
  return (node['quasis'] as { value: { raw: string } }[]).map(({ value }) => value.raw).join('x');
}

/** Returns the name of the innermost function or variable that contains the place and has one. */
function getName({ ancestors }: Place): string | undefined {
  const named = ancestors.findLast(
    ({ type, id }) =>
      ['FunctionDeclaration', 'VariableDeclarator'].includes(type) && isNode(id) && id.type === 'Identifier',
  );
  return named && ((named['id'] as Node)['name'] as string);
}

const isCallOf = (node: Node, names: ReadonlySet<string>): boolean =>
  node.type === 'CallExpression' && isNode(node['callee']) && names.has(String(node['callee']['name']));

/** Returns whether the place uses a name as a value: not in an import, a declaration, a type or a property. */
function isUse({ node, ancestors }: Place): boolean {
  const parent = ancestors.at(-1)!;
  if (node.type !== 'Identifier' || /^(?:Import|Export|TS)/.test(parent.type)) return false;
  if (['FunctionDeclaration', 'VariableDeclarator'].includes(parent.type) && parent['id'] === node) return false;
  return !(parent.type === 'MemberExpression' && parent['property'] === node);
}

/** Returns every node of a file. Throws if the file does not parse. */
function parseFile({ path, text }: SourceFile): Place[] {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path} does not parse: ${errors[0].message}`);
  return listPlaces(program as unknown as Node);
}

/** Returns the names of functions whose SQL changes a credential. */
const listWriters = (files: readonly SourceFile[], exceptions: ReadonlySet<string>): Set<string> =>
  new Set(
    files
      .filter(({ text }) => CREDENTIAL_CHANGE.test(text))
      .flatMap((file) =>
        parseFile(file)
          .filter(({ node }) => CREDENTIAL_CHANGE.test(getLiteral(node)))
          .map((place) => getName(place) ?? file.path)
          .filter((name) => !exceptions.has(`${file.path}: ${name}`)),
      ),
  );

/**
 * Returns `path: function` for each use of a function whose SQL changes a password, an address or an authenticator app,
 * where the function that contains the use does not call `revokeForEvent`, itself or through another one of its file.
 * `exceptions` need not.
 */
export function findUnrevokedChanges(files: readonly SourceFile[], exceptions: ReadonlySet<string>): string[] {
  const writers = listWriters(files, exceptions);
  const found = files
    .filter(({ text }) => [...writers].some((name) => text.includes(name)))
    .flatMap((file) => {
      const places = parseFile(file);
      const revokers = new Set([REVOKE]);
      for (const place of places.filter(({ node }) => isCallOf(node, new Set([REVOKE]))))
        revokers.add(getName(place) ?? REVOKE);
      return places
        .filter((place) => isUse(place) && writers.has(String(place.node['name'])))
        .filter(({ ancestors }) => {
          const innermost = ancestors.findLast(({ type }) => FUNCTIONS.has(type));
          return !innermost || !listPlaces(innermost).some(({ node }) => isCallOf(node, revokers));
        })
        .map((place) => `${file.path}: ${getName(place)}`);
    });
  return [...new Set(found)].filter((name) => !exceptions.has(name)).sort();
}
