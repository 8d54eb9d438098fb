/** A table, view or function that a piece of SQL names. */
export interface Relation {
  /** `schema.name`; a bare name is of `public`. */
  name: string;
  /** Whether it is inserted into, updated or deleted from. */
  written: boolean;
}

const SCHEMAS = 'public|market|idp|tally|auth|graphile_worker';
const QUALIFIED = new RegExp(
  `(\\b(?:insert\\s+into|update|delete\\s+from|truncate)\\s+(?:only\\s+)?)?\\b(${SCHEMAS})\\."?([a-z_][a-z0-9_]*)`,
  'gi',
);
/** What follows a word that a relation follows; a function call and a qualified name are none of it. */
const BARE = new RegExp(
  '(?<!\\b(?:distinct|for|key|do)\\s+)\\b(insert\\s+into|delete\\s+from|from|join|using|update)\\s+' +
    '(?:only\\s+)?([a-z_][a-z0-9_]*)\\b(?!\\s*[.(])',
  'gi',
);
const NO_NAME = new Set(['set', 'select', 'lateral', 'of', 'only', 'where']);
const DEFINED = /\b([a-z_][a-z0-9_]*)\s+as\s+(?:(?:not\s+)?materialized\s+)?\(/gi;

/** SQL without its comments and strings, in which any word may stand. */
const withoutText = (sql: string): string => sql.replace(/--.*$/gm, '').replace(/'(?:[^']|'')*'/g, "''");

/** Whether a literal reads like SQL, or like a piece of it. */
export const looksLikeSql = (text: string): boolean =>
  /\b(select\s|insert\s+into\s|update\s+\S+\s+(\w+\s+)?set\b|delete\s+from\s|join\s+\S+\s+\S+)/i.test(text);

/** Names that `with` gives to queries. */
export const namedQueries = (sql: string): string[] => [...withoutText(sql).matchAll(DEFINED)].map(([, name]) => name!);

/** What the SQL names with a schema. */
export function qualifiedRelations(sql: string): Relation[] {
  return [...withoutText(sql).matchAll(QUALIFIED)].map(([, written, schema, name]) => ({
    name: `${schema!.toLowerCase()}.${name!.toLowerCase()}`,
    written: written !== undefined,
  }));
}

/** What it names without one, except for the server's own catalog and the named queries `known`. */
export function bareRelations(sql: string, known: ReadonlySet<string>): Relation[] {
  const statements = withoutText(sql).replace(/\b(grant|revoke)\b[^;]*/gi, '');
  return [...statements.matchAll(BARE)].flatMap(([, verb, name]) => {
    const word = name!.toLowerCase();
    if (NO_NAME.has(word) || known.has(name!) || word.startsWith('pg_')) return [];
    return [{ name: `public.${word}`, written: /^(insert|delete|update)/i.test(verb!) }];
  });
}
