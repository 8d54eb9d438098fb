import { features, getFolder, sharedFolders } from './folders.ts';
import { readLiterals } from './read-literals.ts';
import {
  findBareRelations,
  looksLikeSql,
  listNamedQueries,
  findQualifiedRelations,
  type Relation,
} from './read-relations.ts';
import { type Ownership, tableOwners } from './table-owners.ts';

/** A text file of the project; its path is relative to the root, with forward slashes. */
interface TextFile {
  path: string;
  text: string;
}

const SCHEMA = 'db/schema.sql';
const LIST = 'tools/check/table-owners.ts';

/** Matches the beginning of an SQL statement. */
const STATEMENT = new RegExp(
  [
    '^\\s*(select\\s[\\s\\S]*\\sfrom\\s|select\\s+[\\w.]+\\(|insert\\s+into\\s|update\\s+[\\w."]+\\s+set\\s',
    'delete\\s+from\\s|with\\s+(recursive\\s+)?\\w+\\s+as\\s*\\(',
    '(create|alter|drop)\\s+(table|role|function|policy|index|schema|database|type|view|extension)\\s',
    'grant\\s+\\w+.*\\s(to|on)\\s|truncate\\s|begin\\s*(;|$)|commit\\s*(;|$)|rollback\\s*(;|$))',
  ].join('|'),
  'i',
);

/**
 * Returns each violation of table ownership in the server's code (`src/`, `cli/`) and in the schema, one line each:
 * `path:line what is wrong. What to do.`
 */
export function findOwnershipProblems(sources: readonly TextFile[], schema: string): string[] {
  return [...checkSources(sources), ...checkSchema(schema)];
}

function checkSources(sources: readonly TextFile[]): string[] {
  const files = sources.map(({ path, text }) => ({
    path,
    folder: getFolder(path),
    literals: readLiterals(path, text),
  }));
  // A folder may define a named query in one literal and use it in another.
  const queryNamesByFolder = new Map<string, Set<string>>();
  for (const { folder, literals } of files) {
    const names = literals.flatMap(({ text }) => listNamedQueries(text));
    queryNamesByFolder.set(folder, new Set([...(queryNamesByFolder.get(folder) ?? []), ...names]));
  }
  return files.flatMap(({ path, folder, literals }) =>
    literals.flatMap(({ text, line }) => {
      const messages = new Set<string | undefined>();
      if (STATEMENT.test(text) && !mayHoldSql(path))
        messages.add('holds SQL. Move it into queries.ts as a named function.');
      if (path.startsWith('src/') && looksLikeSql(text)) {
        for (const relation of [
          ...findQualifiedRelations(text),
          ...findBareRelations(text, queryNamesByFolder.get(folder)!),
        ])
          messages.add(findProblem(folder, relation));
      }
      return [...messages].flatMap((message) => (message === undefined ? [] : [`${path}:${line} ${message}`]));
    }),
  );
}

const mayHoldSql = (path: string): boolean =>
  /[/-]queries\.ts$/.test(path) || path.startsWith('src/platform/database/');

const isIn = (list: readonly string[], name: string): boolean => list.includes(name);

const findOwnership = (name: string): Ownership | undefined =>
  tableOwners[name] ?? tableOwners[`${name.slice(0, name.indexOf('.'))}.*`];

/** Returns why the SQL of a folder may not name or write the relation, or `undefined` if it may. */
function findProblem(folder: string, { name, isWritten }: Relation): string | undefined {
  const ownership = findOwnership(name);
  if (!ownership) return `names ${name}, which has no owner. Write its owner into ${LIST}, or correct the name.`;
  const { owner, sharedFor } = ownership;
  if (owner === folder) return undefined;
  if (isIn(sharedFolders, folder) && isIn(features, owner))
    return `names ${name} of ${owner}: a shared folder must not read a feature's table. Pass a function in app.ts.`;
  if (isWritten) return `writes ${name}, which belongs to ${owner}. Call a function of its owner.`;
  return sharedFor === undefined
    ? `names ${name}, which belongs to ${owner}. Read a view of its owner, or pass a function in app.ts.`
    : undefined;
}

/**
 * Checks that each view and function uses only relations that its owner may use, that each object of the schema has an
 * owner, and that each object of the list exists.
 */
function checkSchema(text: string): string[] {
  const problems: string[] = [];
  const found = new Set<string>();
  let line = 1;
  for (const block of text.split(/(?<=\n\n)/)) {
    const [, kind, name] =
      /^create (?:or replace )?(?:unlogged )?(?:materialized )?(table|view|function) ([\w.]+)/i.exec(block) ?? [];
    const startLine = line;
    line += block.split('\n').length - 1;
    if (!kind || !name) continue;
    found.add(name);
    const ownership = findOwnership(name);
    if (!ownership)
      problems.push(`${SCHEMA}:${startLine} has ${name}, which has no owner. Write its owner into ${LIST}.`);
    else if (kind.toLowerCase() !== 'table') {
      const messages = new Set(findQualifiedRelations(block).map((relation) => findProblem(ownership.owner, relation)));
      for (const message of messages)
        if (message !== undefined) problems.push(`${SCHEMA}:${startLine} ${name} (${ownership.owner}) ${message}`);
    }
  }
  for (const [name, { onlyOnCluster }] of Object.entries(tableOwners))
    if (!name.endsWith('.*') && !onlyOnCluster && !found.has(name))
      problems.push(`${LIST} names ${name}, which ${SCHEMA} does not have. Take it out, or correct the name.`);
  return problems;
}
