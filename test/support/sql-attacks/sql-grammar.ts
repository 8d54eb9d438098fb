import { functions, operators, types } from '../../../src/features/assistant/sql/allowed-names.ts';
import { readableTables } from '../../../src/features/assistant/sql/readable-tables.ts';

/** Returns a whole number below a bound. Equal seeds give equal numbers. */
export type Random = (below: number) => number;

/** Names of the server's own catalog, which statements use in addition to the allowed names. */
export interface ServerNames {
  functions: readonly string[];
  relations: readonly string[];
  types: readonly string[];
  operators: readonly string[];
}

/** The kind of a value. Most operators and functions require one kind, and some statements use another. */
type Kind = 'number' | 'text' | 'time' | 'truth';

interface Source {
  alias: string;
  columns: readonly { name: string; kind: Kind }[];
}

const pickFrom = <T>(draw: Random, list: readonly T[]): T => list[draw(list.length)]!;
const repeatRandomly = <T>(draw: Random, max: number, make: () => T): T[] =>
  Array.from({ length: 1 + draw(max) }, make);

const kinds: readonly Kind[] = ['number', 'number', 'text', 'text', 'time', 'truth'];
const listed = { functions: [...functions], operators: [...operators], types: [...types] };
const tableNames = Object.keys(readableTables);
function getKind(type: string): Kind {
  if (/^(text|uuid)$/.test(type)) return 'text';
  return /^(date|timestamptz)$/.test(type) ? 'time' : 'number';
}
const getColumns = (table: string): Source['columns'] =>
  Object.entries(readableTables[table]!.columns).map(([name, type]) => ({ name, kind: getKind(type) }));

const constants: Readonly<Record<Kind, readonly string[]>> = {
  number: [
    '0',
    '1',
    '-1',
    '2147483647',
    '9223372036854775807',
    '1.5',
    '1e20',
    '12345678901234567890.5',
    'null',
    '1_000',
    '0xFF',
    "'NaN'::float8",
    "'infinity'::numeric",
    "'12'",
  ],
  text: ["'AAPL'", "'%a%b%'", "'x'", "''", "'user_bob'", "'bobs'", "E'\\\\x'", "U&'\\0061'", '$$a$$', 'null'],
  time: [
    'now()',
    'current_date',
    "date '2026-01-01'",
    "timestamp '2026-11-20 12:00'",
    "'infinity'::timestamptz",
    "'2026-11-20'::date",
    "date '4713-01-01 BC'",
    'localtimestamp',
  ],
  truth: ['true', 'false', 'null', '1 = 1'],
};
const intervals = ["interval '1 month'", "interval '100000 years'", "interval '1' day", "'1 day'::interval"];
const windows = [
  'over ()',
  'over (order by 1)',
  'over w',
  'over (partition by 1 rows between 5 preceding and current row)',
  'over (order by 1 range between unbounded preceding and unbounded following exclude ties)',
];

/** Calls with the required arguments. `n`, `t`, `d` and `b` stand for an expression of each kind. */
const calls: Readonly<Record<Kind, readonly string[]>> = {
  number: [
    'count(*)',
    'count(distinct t)',
    'sum(n)',
    'avg(n)',
    'min(n)',
    'stddev(n)',
    'corr(n, n)',
    'regr_slope(n, n)',
    'count(*) filter (where b)',
    'percentile_cont(0.5) within group (order by n)',
    'mode() within group (order by n)',
    'row_number() WINDOW',
    'rank() WINDOW',
    'ntile(4) WINDOW',
    'lag(n, 1000000) WINDOW',
    'nth_value(n, 3) WINDOW',
    'sum(n) WINDOW',
    'abs(n)',
    'ceil(n)',
    'round(n)',
    'round(n, 2)',
    'round(n, 1000000)',
    'trunc(n)',
    'sqrt(n)',
    'ln(n)',
    'exp(n)',
    'power(n, n)',
    'log(n, n)',
    'mod(n, n)',
    'div(n, n)',
    'length(t)',
    'char_length(t)',
    'strpos(t, t)',
    'position(t in t)',
    "date_part('day', d)",
    'extract(epoch from d)',
    'extract(isodow from d)',
    'sign(n)',
  ],
  text: [
    'upper(t)',
    'lower(t)',
    'initcap(t)',
    'left(t, n)',
    'left(t, 5)',
    'right(t, -2147483647)',
    'substr(t, 2, 3)',
    'substring(t from 2 for 3)',
    'trim(both t from t)',
    'btrim(t, t)',
    "split_part(t, ' ', 2)",
    'concat(t, n, d, b)',
    "concat_ws(', ', t, t)",
    "replace(t, 'abc', 'x')",
    'reverse(t)',
    "string_agg(t, ', ')",
    "string_agg(distinct t, ',')",
    "to_char(d, 'YYYY-MM-DD')",
    "to_char(n, '999,999.99')",
    'min(t)',
    'max(t)',
    'first_value(t) WINDOW',
    "string_agg(t, ', ' order by t)",
  ],
  time: [
    "date_trunc('month', d)",
    'min(d)',
    'max(d)',
    'make_date(2026, 1, 1)',
    "to_date(t, 'YYYY-MM-DD')",
    'date(d)',
    "d at time zone 'UTC'",
    'd at time zone t',
    'date_trunc(t, d)',
    'lag(d) WINDOW',
  ],
  truth: ['bool_and(b)', 'bool_or(b)', 'every(b)', 'starts_with(t, t)', 'isfinite(d)'],
};

/**
 * Returns a random statement. Most names are those of the tables and lists that a member's SQL may use. Of a thousand
 * names, `wildness` are the server's own, or appear in places that the guards reject.
 */
export function generateStatement(draw: Random, names: ServerNames, wildness: number): string {
  const isWildStatement = (): boolean => draw(1_000) < wildness;
  const ctes: Source[] = [];
  let depth = 0;
  let aliasCount = 0;
  const createAlias = (): string => {
    aliasCount += 1;
    return pickFrom(draw, ['a', 'b', 't', 'x', `n${aliasCount}`]);
  };

  const generateColumn = (sources: readonly Source[], kind: Kind): string => {
    if (isWildStatement())
      return pickFrom(draw, ['ctid', 'tableoid', 'xmin', 'idp_id', 'id', 'oid', 'a.*', 'a', 'public.a.b']);
    const findColumns = sources.flatMap(({ alias, columns }) =>
      columns.filter((candidate) => candidate.kind === kind).map(({ name }) => ({ alias, name })),
    );
    if (findColumns.length === 0) return pickFrom(draw, constants[kind]);
    const { alias, name } = pickFrom(draw, findColumns);
    return draw(6) === 0 ? name : `${alias}.${name}`;
  };

  const call = (sources: readonly Source[], kind: Kind): string => {
    if (isWildStatement()) {
      const name = pickFrom(draw, ['pg_catalog.', 'public.', 'assistant.', '']) + pickFrom(draw, names.functions);
      return `${name}(${repeatRandomly(draw, 3, () => generateExpression(sources)).join(', ')})`;
    }
    if (draw(15) === 0)
      return `${pickFrom(draw, listed.functions)}(${repeatRandomly(draw, 3, () => generateExpression(sources)).join(', ')})`;
    const intended: Readonly<Record<string, Kind>> = { n: 'number', t: 'text', d: 'time', b: 'truth' };
    return pickFrom(draw, calls[kind])
      .replace('WINDOW', () => pickFrom(draw, windows))
      .replaceAll(/(?<![\w'])[ntdb](?![\w'(-])/g, (letter) => generateExpression(sources, intended[letter]));
  };

  const createStrangeLiteral = (sources: readonly Source[]): string => {
    const e = (): string => generateExpression(sources);
    return pickFrom(draw, [
      () => `(${e()})[${e()}]`,
      () => `(${e()}).${generateColumn(sources, 'text')}`,
      () => `row(${e()}, ${e()})`,
      () => `array(${select(sources)})`,
      () => `(${e()} collate "C")`,
      () => `(${e()} operator(pg_catalog.${pickFrom(draw, names.operators)}) ${e()})`,
      () => `(${e()} ${pickFrom(draw, names.operators)} ${e()})`,
      () => `(${e()})::${pickFrom(draw, names.types)}`,
      () => `(${e()})::${pickFrom(draw, names.types)}[]`,
      () =>
        pickFrom(draw, ['current_user', 'session_user', 'current_catalog', 'current_schema', 'user', '$1', "b'101'"]),
      () => `xmlelement(name x, ${e()})`,
      () => `json_object(${e()} : ${e()})`,
      () => `(${e()} is json)`,
      () => `(${e()} similar to ${e()})`,
      () => `(${select(sources)}).*`,
      () => `exists (table ${pickFrom(draw, names.relations)})`,
    ])();
  };

  function generateExpression(sources: readonly Source[], preferredKind: Kind = pickFrom(draw, kinds)): string {
    depth += 1;
    try {
      // A few expressions use another kind than the required one.
      const kind = draw(25) === 0 ? pickFrom(draw, kinds) : preferredKind;
      if (depth > 5) return draw(4) > 0 ? generateColumn(sources, kind) : pickFrom(draw, constants[kind]);
      if (isWildStatement()) return createStrangeLiteral(sources);
      const e = (of: Kind = kind): string => generateExpression(sources, of);
      const common = [
        ...Array.from({ length: 8 }, () => () => generateColumn(sources, kind)),
        ...Array.from({ length: 3 }, () => () => pickFrom(draw, constants[kind])),
        ...Array.from({ length: 4 }, () => () => call(sources, kind)),
        () => `case when ${e('truth')} then ${e()} else ${e()} end`,
        () => `case ${e('text')} when ${e('text')} then ${e()} end`,
        () => `coalesce(${e()}, ${e()})`,
        () => `${pickFrom(draw, ['greatest', 'least', 'nullif'])}(${e()}, ${e()})`,
        () => `(${select(sources, [kind])})`,
      ];
      const expressionsByKind: Readonly<Record<Kind, readonly (() => string)[]>> = {
        number: [
          ...Array.from({ length: 3 }, () => () => `(${e()} ${pickFrom(draw, ['+', '-', '*', '/', '%'])} ${e()})`),
          () => `(${e()})::${pickFrom(draw, ['int', 'float8', 'numeric(12, 2)', 'numeric', 'bigint', 'smallint'])}`,
          () => `(${e('text')})::${pickFrom(draw, ['int', 'float8', 'double precision'])}`,
          () => `(${e('time')}::date - ${e('time')}::date)`,
          () => `grouping(${e('text')})`,
        ],
        text: [
          ...Array.from({ length: 3 }, () => () => `(${e()} || ${e()})`),
          () => `(${e('number')})::text`,
          () => `cast(${e()} as varchar(${pickFrom(draw, ['3', '100'])}))`,
        ],
        time: [
          () => `(${e()} ${pickFrom(draw, ['+', '-'])} ${pickFrom(draw, intervals)})`,
          () => `(${e()})::${pickFrom(draw, ['date', 'timestamp', 'timestamptz'])}`,
        ],
        truth: [
          ...Array.from({ length: 3 }, () => () => {
            const of = pickFrom(draw, kinds);
            return `(${e(of)} ${pickFrom(draw, ['=', '<>', '<', '>='])} ${e(of)})`;
          }),
          () => `(${e()} and not ${e()} or ${e()})`,
          () => `exists (${select(sources)})`,
          () => `(${e('text')} ${pickFrom(draw, ['in', 'not in', '= any', '< all'])} (${select(sources, ['text'])}))`,
          () => `(${e('number')} in (${repeatRandomly(draw, 3, () => e('number')).join(', ')}))`,
          () => `(${e('time')} between ${pickFrom(draw, ['', 'symmetric '])}${e('time')} and ${e('time')})`,
          () => `(${e('text')} is ${pickFrom(draw, ['', 'not '])}null)`,
          () => `(${e()} is not true)`,
          () => `(${e('number')} is distinct from ${e('number')})`,
          () =>
            `(${e('text')} ${pickFrom(draw, ['like', 'not ilike'])} '${pickFrom(draw, ['%a%', 'A_', '%%%%%', '\\\\%'])}')`,
          () => `(${e('text')} = any (array[${repeatRandomly(draw, 3, () => e('text')).join(', ')}]))`,
          () => `(${e()} ${pickFrom(draw, listed.operators)} ${e()})`,
        ],
      };
      return pickFrom(draw, [...common, ...expressionsByKind[kind]])();
    } finally {
      depth -= 1;
    }
  }

  function source(outer: readonly Source[]): { text: string; as: Source } {
    const alias = createAlias();
    if (isWildStatement()) {
      const text = pickFrom(draw, [
        () =>
          `${pickFrom(draw, ['', 'pg_catalog.', 'public.', 'information_schema.'])}${pickFrom(draw, names.relations)}`,
        () => call(outer, 'text'),
        () => `lateral ${call(outer, 'number')} with ordinality`,
        () => `rows from (${call(outer, 'text')})`,
        () => `${pickFrom(draw, tableNames)} tablesample system (50)`,
        () => `tally.assistant.${pickFrom(draw, tableNames)}`,
      ])();
      return { text: `${text} ${alias}`, as: { alias, columns: [{ name: 'symbol', kind: 'text' }] } };
    }
    if (ctes.length > 0 && draw(2) === 0) {
      const cte = pickFrom(draw, ctes);
      return { text: `${cte.alias} ${alias}`, as: { alias, columns: cte.columns } };
    }
    if (depth < 4 && draw(6) === 0) {
      const columns = someColumns();
      const lateral = draw(2) === 0;
      const inner = select(
        lateral ? outer : [],
        columns.map(({ kind }) => kind),
      );
      const list = columns.map(({ name }) => name).join();
      return { text: `${lateral ? 'lateral ' : ''}(${inner}) ${alias} (${list})`, as: { alias, columns } };
    }
    const table = pickFrom(draw, tableNames);
    return { text: `${draw(6) === 0 ? 'assistant.' : ''}${table} ${alias}`, as: { alias, columns: getColumns(table) } };
  }

  function someColumns(): Source['columns'] {
    return repeatRandomly(draw, 3, () => pickFrom(draw, kinds)).map((kind, index) => ({ name: `c${index}`, kind }));
  }

  /** Returns FROM with up to three sources, which are added to `inner`. */
  function fromClause(inner: Source[], outer: readonly Source[]): string {
    let clause = '';
    for (const { text, as } of repeatRandomly(draw, depth < 3 ? 3 : 1, () => source(outer))) {
      const join = pickFrom(draw, [
        ', ',
        ' join ',
        ' join ',
        ' left join ',
        ' full join ',
        ' cross join ',
        ' natural join ',
      ]);
      if (clause === '') clause = text;
      else if (/^ (join|left|full)/.test(join)) {
        const left = inner.at(-1)!;
        const shared = left.columns.find(({ name }) => as.columns.some((candidate) => candidate.name === name))?.name;
        const on = shared
          ? `on ${left.alias}.${shared} = ${as.alias}.${shared}`
          : `on ${generateExpression([...inner, as], 'truth')}`;
        clause += `${join}${text} ${shared && draw(2) === 0 ? `using (${shared})` : on}`;
      } else clause += join + text;
      inner.push(as);
    }
    return clause;
  }

  function select(outer: readonly Source[], outputs: readonly Kind[] = someColumns().map(({ kind }) => kind)): string {
    depth += 1;
    try {
      const inner: Source[] = [];
      const clause = draw(20) === 0 ? '' : fromClause(inner, outer);
      const all = [...inner, ...outer];
      const e = (kind?: Kind): string => generateExpression(all, kind);
      const star = depth === 1 && inner.length > 0 && draw(9) === 0;
      const targets = outputs.map((kind) => `${e(kind)}${draw(4) === 0 ? ' as o' : ''}`).join(', ');
      const parts = [
        `select ${draw(10) === 0 ? 'distinct ' : ''}${star ? '*' : targets}`,
        clause && `from ${clause}`,
        draw(3) === 0 ? `where ${e('truth')}` : '',
        draw(8) === 0
          ? `group by ${pickFrom(draw, [e(), '1', '1, 2', `rollup (${e()}, ${e()})`, `grouping sets ((1), ())`])}`
          : '',
        draw(20) === 0 ? `having ${e('truth')}` : '',
        draw(25) === 0 ? 'window w as (partition by 1 order by 1)' : '',
      ];
      const also = draw(12) === 0;
      if (also) parts.push(`${pickFrom(draw, ['union', 'union all', 'except', 'intersect'])} (${select([], outputs)})`);
      if (draw(5) === 0) parts.push(`order by ${pickFrom(draw, ['1', '1 desc nulls last', e()])}`);
      if (draw(6) === 0) parts.push(`limit ${pickFrom(draw, ['1', '200', 'all', '1e9', '5 offset 3'])}`);
      if (isWildStatement())
        parts.push(pickFrom(draw, ['for update', 'for share', 'into temp z', 'fetch first 1 row with ties']));
      return parts.filter(Boolean).join(' ');
    } finally {
      depth -= 1;
    }
  }

  const withs = draw(4) === 0 ? repeatRandomly(draw, 6, () => 0) : [];
  const written = withs.map(() => {
    const alias = isWildStatement() ? pickFrom(draw, [...names.relations, ...tableNames]) : `q${ctes.length}`;
    const columns = someColumns();
    const body = isWildStatement()
      ? pickFrom(draw, ['delete from holdings returning *', "update accounts set name = 'x' returning 1"])
      : select(
          [],
          columns.map(({ kind }) => kind),
        );
    const list = columns.map(({ name }) => name).join();
    const text = `${alias} (${list}) as ${pickFrom(draw, ['', 'materialized ', 'not materialized '])}(${body})`;
    ctes.push({ alias, columns });
    return text;
  });
  const recursive = isWildStatement() ? 'recursive ' : '';
  return `${written.length > 0 ? `with ${recursive}${written.join(', ')} ` : ''}${select([])}`;
}

/** Returns a random mutation of a statement's words: left out, doubled, moved, or copied from another statement. */
export function mutateStatement(draw: Random, statement: string, other: string): string {
  const tokenize = (text: string): string[] => text.match(/\w+|\s+|'(?:[^']|'')*'|[^\w\s]/g) ?? [];
  const tokens = tokenize(statement);
  const otherTokens = tokenize(other);
  for (const _ of Array.from({ length: 1 + draw(4) })) {
    const at = draw(Math.max(1, tokens.length));
    const otherToken = pickFrom(draw, otherTokens.length > 0 ? otherTokens : [' ']);
    const part = otherTokens.slice(draw(Math.max(1, otherTokens.length))).slice(0, 1 + draw(8));
    pickFrom(draw, [
      () => tokens.splice(at, 1),
      () => tokens.splice(at, 1, otherToken),
      () => tokens.splice(at, 0, tokens[draw(Math.max(1, tokens.length))] ?? ''),
      () => tokens.splice(at, 0, ...part),
      () => tokens.splice(at, 1 + draw(5)),
      () =>
        tokens.splice(
          at,
          0,
          pickFrom(draw, ['\u0000', '--', '/*', '*/', ';', '\u00a0', '\ud800', '"', "'", '$$', '\\']),
        ),
    ])();
  }
  return tokens.join('');
}
