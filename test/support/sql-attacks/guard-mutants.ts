/** One guard loosened: a text of a source file and what takes its place. */
interface GuardMutant {
  file: string;
  find: string;
  put: string;
}

const sql = 'src/assistant/sql';

/** A list with one name more, for each name that must not be on it. */
const withMore = (file: string, find: string, names: readonly string[]): GuardMutant[] =>
  names.map((name) => ({ file, find, put: `${find}${name}` }));

/** Each guard of the parser, loosened one at a time. */
export const guardMutants: readonly GuardMutant[] = [
  { file: `${sql}/parse.ts`, find: 'text.length > MOST_CHARACTERS', put: 'text.length > 1e6' },
  { file: `${sql}/parse.ts`, find: 'statements.length !== 1', put: 'statements.length === 0' },
  { file: `${sql}/parse.ts`, find: "if (kind !== 'SelectStmt')", put: 'if (kind === undefined)' },
  { file: `${sql}/check-shapes.ts`, find: 'nodes.length > MOST_NODES', put: 'nodes.length > 1e6' },
  { file: `${sql}/check-shapes.ts`, find: 'if (!fields.includes(field)) {', put: 'if (false) {' },
  { file: `${sql}/check-shapes.ts`, find: 'if (!fields) throw', put: 'if (false) throw' },
  ...withMore(`${sql}/allowed-names.ts`, 'count sum avg ', [
    ...['pg_sleep ', 'pg_notify ', 'set_config ', 'current_setting ', 'pg_advisory_xact_lock ', 'repeat ', 'lpad '],
    ...['format ', 'regexp_replace ', 'array_agg ', 'query_to_xml ', 'ts_stat ', 'pg_logical_emit_message ', 'lo_get '],
    ...['json_agg ', 'pg_read_file ', 'generate_series ', 'random ', 'version ', 'pg_backend_pid ', 'member_id '],
  ]),
  ...withMore(`${sql}/allowed-names.ts`, "words('= <> ", ['^ ', '~ ', '<< ', '-> ', '@> ', '|/ ']),
  ...withMore(`${sql}/allowed-names.ts`, 'text varchar int2 ', [
    'regclass ',
    'json ',
    'bytea ',
    'bpchar ',
    'oid ',
    'xml ',
  ]),
  { file: `${sql}/allowed-names.ts`, find: "words('EXISTS_SUBLINK", put: "words('ARRAY_SUBLINK EXISTS_SUBLINK" },
  { file: `${sql}/allowed-names.ts`, find: 'SVFOP_CURRENT_DATE ', put: 'SVFOP_CURRENT_USER SVFOP_CURRENT_DATE ' },
  {
    file: `${sql}/check-names.ts`,
    find: 'names.length !== 1 || !allowed.functions.has(name)',
    put: '!allowed.functions.has(name)',
  },
  { file: `${sql}/check-names.ts`, find: "if (name === 'to_char' || name === 'to_date')", put: 'if (false)' },
  { file: `${sql}/check-names.ts`, find: "if (name === 'string_agg')", put: 'if (false)' },
  { file: `${sql}/check-names.ts`, find: 'if (to.length > from.length)', put: 'if (false)' },
  { file: `${sql}/check-names.ts`, find: 'text.length > longest', put: 'text.length > 1e6' },
  { file: `${sql}/check-names.ts`, find: '.length > MOST_WILDCARDS', put: '.length > 1e6' },
  {
    file: `${sql}/check-names.ts`,
    find: 'if (names.length === 1 && allowed.operators.has(name)) return;',
    put: 'if (allowed.operators.has(name)) return;',
  },
  { file: `${sql}/check-names.ts`, find: '> MOST_PRECISION', put: '> 1e9' },
  { file: `${sql}/check-names.ts`, find: 'text.length > LONGEST_TEXT', put: 'text.length > 1e6' },
  { file: `${sql}/check-names.ts`, find: '!DECIMAL.test(decimal)', put: 'false' },
  { file: `${sql}/check-names.ts`, find: '/\\d{21}/.test(text)', put: 'false' },
  { file: `${sql}/measure.ts`, find: "if (texty && (type === 'numeric' || type === 'decimal'))", put: 'if (false)' },
  { file: `${sql}/measure.ts`, find: 'const PLAIN_NUMBER = /^', put: 'const PLAIN_NUMBER = /' },
  { file: `${sql}/resolve.ts`, find: 'query.total > MOST_WEIGHT', put: 'query.total > 1e9' },
  { file: `${sql}/resolve.ts`, find: 'query.tables > MOST_MENTIONS', put: 'query.tables > 1e9' },
  { file: `${sql}/resolve.ts`, find: 'written > MOST_TABLES', put: 'written > 1e9' },
  { file: `${sql}/resolve.ts`, find: 'checkCteName(name);', put: '' },
  {
    file: `${sql}/resolve.ts`,
    find: 'const ctes = new Map(around);',
    put: 'const ctes = around as Map<string, Query>;',
  },
  { file: `${sql}/scope.ts`, find: '(schema === undefined && ctes.get(name))', put: 'ctes.get(name)' },
  { file: `${sql}/scope.ts`, find: "(schema ?? 'assistant') === 'assistant' &&", put: '' },
  { file: `${sql}/scope.ts`, find: 'if (more.length > 0) throw', put: 'if (false) throw' },
  {
    file: `${sql}/scope.ts`,
    find: 'source.columns.get(last) ?? noColumn(`${alias}.${last}`, [source])',
    put: 'source.columns.get(last) ?? { weight: 1, texty: false }',
  },
  {
    file: `${sql}/scope.ts`,
    find: 'return noColumn(last, scope.sources);',
    put: 'return { weight: 1, texty: false };',
  },
  { file: `${sql}/run-sql.ts`, find: 'const MOST_COST = 20_000', put: 'const MOST_COST = 1e15' },
  { file: `${sql}/run-sql.ts`, find: 'if (!verdict.ok)', put: 'if (false as boolean && !verdict.ok)' },
];

/** Each guard of the database, loosened one at a time by its owner. */
export const databaseMutants: readonly string[] = [
  ...['accounts', 'watchlist_items', 'manual_public_holdings', 'net_worth_snapshots'].flatMap((table) => [
    `alter policy ${table}_assistant on public.${table} using (true)`,
    `alter table public.${table} disable row level security`,
  ]),
  ...['accounts', 'holdings', 'watchlist_items', 'net_worth'].map(
    (view) => `alter view assistant.${view} set (security_invoker = false)`,
  ),
  `grant select on public.all_users to assistant;
   create policy mutant on public.all_users for select to assistant using (true)`,
];
