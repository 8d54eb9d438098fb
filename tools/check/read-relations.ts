import { tableOwners } from './table-owners.ts';

/** A table, view or function that a piece of SQL names. */
export interface Relation {
  /** `schema.name`, where a name without a schema counts as one of `public`. */
  name: string;
  /** Whether the SQL inserts into it, updates it or deletes from it. */
  isWritten: boolean;
}

const SCHEMAS = [...new Set(Object.keys(tableOwners).map((name) => name.split('.')[0]))].join('|');
const QUALIFIED = new RegExp(
  `(\\b(?:insert\\s+into|update|delete\\s+from|truncate)\\s+(?:only\\s+)?)?\\b(${SCHEMAS})\\."?([a-z_][a-z0-9_]*)`,
  'gi',
);
/** A name without a schema behind a word such as `from`, unless it is a function call. */
const BARE = new RegExp(
  '(?<!\\b(?:distinct|for|key|do)\\s+)\\b(insert\\s+into|delete\\s+from|from|join|using|update)\\s+' +
    '(?:only\\s+)?([a-z_][a-z0-9_]*)\\b(?!\\s*[.(])',
  'gi',
);
const KEYWORDS = new Set(['set', 'select', 'lateral', 'of', 'only', 'where']);
const NAMED_QUERY = /\b([a-z_][a-z0-9_]*)\s+as\s+(?:(?:not\s+)?materialized\s+)?\(/gi;

/** Removes comments and strings from SQL, whose words are no names. */
const removeLiterals = (sql: string): string => sql.replace(/--.*$/gm, '').replace(/'(?:[^']|'')*'/g, "''");

/** Returns whether a text is likely SQL, or a part of a statement. */
export const looksLikeSql = (text: string): boolean =>
  /\b(select\s|insert\s+into\s|update\s+\S+\s+(\w+\s+)?set\b|delete\s+from\s|join\s+\S+\s+\S+)/i.test(text);

/** Returns the names of the queries in `with`. */
export const listNamedQueries = (sql: string): string[] =>
  [...removeLiterals(sql).matchAll(NAMED_QUERY)].map(([, name]) => name!);

/** Returns the relations that the SQL names with their schema. */
export function findQualifiedRelations(sql: string): Relation[] {
  return [...removeLiterals(sql).matchAll(QUALIFIED)].map(([, isWritten, schema, name]) => ({
    name: `${schema!.toLowerCase()}.${name!.toLowerCase()}`,
    isWritten: isWritten !== undefined,
  }));
}

/**
 * Returns the relations that the SQL names without a schema. Excludes PostgreSQL's catalog and the queries in
 * `queryNames`.
 */
export function findBareRelations(sql: string, queryNames: ReadonlySet<string>): Relation[] {
  const statements = removeLiterals(sql).replace(/\b(grant|revoke)\b[^;]*/gi, '');
  return [...statements.matchAll(BARE)].flatMap(([, statement, name]) => {
    const word = name!.toLowerCase();
    if (KEYWORDS.has(word) || queryNames.has(name!) || word.startsWith('pg_')) return [];
    return [{ name: `public.${word}`, isWritten: /^(insert|delete|update)/i.test(statement!) }];
  });
}
