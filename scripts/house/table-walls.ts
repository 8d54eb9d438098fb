import { placeOf, rooms, slices } from './places.ts';
import type { Problem } from './problem.ts';
import { bareRelations, looksLikeSql, namedQueries, qualifiedRelations, type Relation } from './read-relations.ts';
import type { Source } from './read-source.ts';
import { type Owned, tableOwners } from './table-owners.ts';
import { isTest, type TextFile } from './tree.ts';

const SCHEMA = 'db/schema.sql';
const LIST = 'scripts/house/table-owners.ts';

/**
 * SQL that names another owner's table, and tables without an owner. Where there is no db/schema.sql the list is not
 * held against it.
 */
export function findForeignTables(sources: readonly Source[], files: readonly TextFile[]): Problem[] {
  const schema = files.find(({ path }) => path === SCHEMA);
  return [...inSources(sources), ...(schema ? inSchema(schema.text) : [])];
}

function inSources(sources: readonly Source[]): Problem[] {
  const product = sources.filter(({ path }) => path.startsWith('src/') && !isTest(path) && !path.includes('/web/'));
  const named = new Map<string, Set<string>>();
  for (const { path, literals } of product) {
    const { name } = placeOf(path);
    named.set(name, new Set([...(named.get(name) ?? []), ...literals.flatMap(({ text }) => namedQueries(text))]));
  }
  return product.flatMap(({ path, literals }) => {
    const { name: place } = placeOf(path);
    return literals
      .filter(({ text }) => looksLikeSql(text))
      .flatMap(({ text, line }) => {
        const relations = [...qualifiedRelations(text), ...bareRelations(text, named.get(place)!)];
        const messages = [...relations.map((relation) => objection(place, relation)), ...foreignColumns(place, text)];
        return [...new Set(messages)].flatMap((message) => (message ? [{ path, line, rule: 'tables', message }] : []));
      });
  });
}

const isIn = (list: readonly string[], name: string): boolean => list.includes(name);

const ownedAs = (name: string): Owned | undefined =>
  tableOwners[name] ?? tableOwners[`${name.slice(0, name.indexOf('.'))}.*`];

/** Why the SQL of a place may not name the relation so. */
function objection(place: string, { name, written }: Relation): string | undefined {
  const owned = ownedAs(name);
  if (!owned) return `names ${name}, which nobody owns. Write its owner into ${LIST}, or correct the name.`;
  const { owner, offered, columns = {} } = owned;
  if (owner === place || Object.values<string>(columns).includes(place)) return undefined;
  if (isIn(rooms, place) && isIn(slices, owner))
    return `names ${name}, which is ${owner}'s: a shared room reads no slice's table. Let app.ts hand a function over.`;
  if (written) return `writes ${name}, which is ${owner}'s. Call a function that its owner offers.`;
  return offered === undefined
    ? `names ${name}, which is of ${owner} alone. Read a view that its owner offers for the purpose, ` +
        'or let app.ts hand a function over.'
    : undefined;
}

function foreignColumns(place: string, text: string): string[] {
  return Object.entries(tableOwners).flatMap(([table, { columns = {} }]) =>
    Object.entries(columns)
      .filter(([column, owner]) => owner !== place && new RegExp(`\\b${column}\\b`).test(text))
      .map(([column, owner]) => `names ${table}.${column}, which is ${owner}'s. Let app.ts hand a function over.`),
  );
}

/**
 * Views and functions read what their owner may read; everything there is has an owner, and everything with an owner is
 * there.
 */
function inSchema(text: string): Problem[] {
  const problems: Problem[] = [];
  const found = new Set<string>();
  let line = 1;
  for (const block of text.split(/(?<=\n\n)/)) {
    const [, kind, name] =
      /^create (?:or replace )?(?:unlogged )?(?:materialized )?(table|view|function) ([\w.]+)/i.exec(block) ?? [];
    const at = line;
    line += block.split('\n').length - 1;
    if (!kind || !name) continue;
    found.add(name);
    const owned = ownedAs(name);
    const report = (message: string) => problems.push({ path: SCHEMA, line: at, rule: 'tables', message });
    if (!owned) report(`has ${name}, which nobody owns. Write its owner into ${LIST}.`);
    else if (kind.toLowerCase() !== 'table') {
      const messages = qualifiedRelations(block).map((relation) => objection(owned.owner, relation));
      for (const message of new Set(messages)) if (message) report(`${name} (${owned.owner}) ${message}`);
    }
  }
  for (const name of Object.keys(tableOwners)) {
    if (name.endsWith('.*') || found.has(name)) continue;
    problems.push({
      path: LIST,
      rule: 'tables',
      message: `names ${name}, which ${SCHEMA} does not have. Take it out, or correct the name.`,
    });
  }
  return problems;
}
