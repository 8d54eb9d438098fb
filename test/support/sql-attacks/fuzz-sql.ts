import { readFileSync } from 'node:fs';
import pg from 'pg';
import { checkSql } from '../../../src/features/assistant/sql/check-sql.ts';
import { runSql, type SqlAnswer } from '../../../src/features/assistant/sql/run-sql.ts';
import { Failure } from '../../../src/errors.ts';
import type { TestDatabase } from '../database.ts';
import { ADA } from '../sql-room.ts';
import { seeded } from '../seeded.ts';
import { leaks, LONGEST_MS, MOST_BYTES, MOST_KILOBYTES, peaksOf, readAttacks, stateOf } from './run-attacks.ts';
import { type Draw, mutateStatement, type ServerNames, writeStatement } from './sql-grammar.ts';

interface FuzzReport {
  statements: number;
  seed: number;
  /** How many ended how: answered, the rule that refused, `too_expensive`, `timed_out`. */
  became: Record<string, number>;
  slowestMs: number;
  slowest: string;
  largestBytes: number;
  /** Most memory of a process of the database beyond what all share, in kB; 0 where it cannot be read. */
  mostKilobytes: number;
  /** One sentence for each thing that no statement may do. */
  faults: string[];
  /** Statements of plain parts that a guard for names refused although the server would have answered them. */
  refusedThoughPlain: string[];
}

/** Tables that the views of the schema "assistant" stand on: what a plan may name. */
const READ = new Set([
  ...['watchlist_items', 'accounts', 'manual_public_holdings', 'connected_holdings', 'net_worth_snapshots'],
  ...['subscriptions', 'tier_grants', 'plans', 'tracked_tickers_latest', 'tracked_tickers_historical'],
]);
const LOOK_EVERY = 500;
/** Said where no connection was to be had in time. */
const UNAVAILABLE = 'found no connection, again and again';

/**
 * Runs statements that a grammar and mutations of attacks and questions make by chance, in Ada's name, until `ends`
 * (milliseconds of `performance.now()`) or `most` statements, and holds each against what no attack may do.
 */
export async function fuzzSql(
  db: TestDatabase,
  { seed, ends, most }: { seed: number; ends: number; most: number },
): Promise<FuzzReport> {
  const readOnly = db.database.readOnly!;
  const names = await serverNames(db);
  const seeds = [...readAttacks().map(({ sql }) => sql), ...readQuestions()];
  const report: FuzzReport = {
    ...{ statements: 0, seed, became: {}, slowestMs: 0, slowest: '', largestBytes: 0, mostKilobytes: 0 },
    ...{ faults: [], refusedThoughPlain: [] },
  };
  const planner = new pg.Client({
    connectionString: db.ownerUrl,
    options: '-c search_path=assistant,pg_catalog -c statement_timeout=2500',
  });
  planner.on('error', () => {});
  await planner.connect();
  let before = await stateWithRetry();
  const blamed = new Set<number>();

  while (report.statements < most && performance.now() < ends) {
    const number = report.statements;
    const isPlain = number % 3 === 0;
    const sql = make(number, isPlain);
    report.statements += 1;
    const fault = (what: string): void => void report.faults.push(`${what} (seed ${seed}, ${number}): ${sql}`);
    let { answer, took } = await run(sql);
    // A busy machine can hold up any statement; one that is slow by itself is slow each time.
    for (let again = 0; again < 3 && (took > LONGEST_MS || answer === UNAVAILABLE); again += 1)
      ({ answer, took } = await run(sql));
    const text = JSON.stringify(answer);
    if (took > report.slowestMs) [report.slowestMs, report.slowest] = [took, sql];
    report.largestBytes = Math.max(report.largestBytes, text.length);
    if (typeof answer === 'string') {
      fault(answer);
      continue;
    }
    const became = answer.ok ? 'answered' : answer.reason === 'refused' ? answer.rule : answer.reason;
    report.became[became] = (report.became[became] ?? 0) + 1;
    if (leaks(text, sql)) fault("reads another member's row");
    if (took > LONGEST_MS) fault(`took ${took.toFixed(0)} ms`);
    if (text.length > MOST_BYTES) fault(`answered ${text.length} bytes`);
    if (answer.ok) for (const one of await readBy(sql)) fault(`reads ${one}`);
    if (isPlain && became === 'name' && (await wouldAnswer(sql))) report.refusedThoughPlain.push(sql);
    if (answer.ok || became === 'server' || became === 'timed_out' || became === 'too_expensive')
      await weigh((kilobytes) => fault(`took ${kilobytes} kB`));
    if (report.statements % LOOK_EVERY === 0) {
      await holdState();
    }
  }
  await holdState();
  await planner.end();
  return report;

  /** On a busy machine a look may find no connection in time. */
  async function stateWithRetry(): Promise<string> {
    for (let again = 0; again < 5; again += 1) {
      const state = await stateOf(db).catch(() => undefined);
      if (state !== undefined) return state;
    }
    return stateOf(db);
  }

  async function holdState(): Promise<void> {
    const state = await stateWithRetry();
    if (state !== before)
      report.faults.push(`a statement before ${report.statements} wrote, or changed a session (seed ${seed})`);
    before = state;
  }

  async function run(sql: string): Promise<{ answer: SqlAnswer | string; took: number }> {
    const started = performance.now();
    const tool = { database: readOnly, isWatchlistOn: async () => true };
    const answer = await runSql(tool, ADA, sql).catch((error: Error) =>
      error instanceof Failure && error.code === 'UNAVAILABLE' ? UNAVAILABLE : `threw ${error.message}`,
    );
    return { answer, took: performance.now() - started };
  }

  function make(number: number, isPlain: boolean): string {
    const draw = drawFrom(seed, number);
    if (isPlain) return writeStatement(draw, names, 0);
    if (number % 3 === 1) return writeStatement(draw, names, 60);
    const one = draw(2) === 0 ? seeds[draw(seeds.length)]! : writeStatement(draw, names, 20);
    return mutateStatement(draw, one, seeds[draw(seeds.length)]!);
  }

  /** Tables in the plan of a statement that was answered which no view stands on: found by the planner, not by us. */
  async function readBy(sql: string): Promise<string[]> {
    // Some that were answered end with an error here, where the owner's rights plan them.
    const { rows } = await planner.query(`explain (format json) ${sql}`).catch(() => ({ rows: [] }));
    const found = [...JSON.stringify(rows).matchAll(/"Relation Name":"([^"]+)"/g)].map(([, name]) => name!);
    return found.filter((name) => !READ.has(name));
  }

  async function wouldAnswer(sql: string): Promise<boolean> {
    const answer = await readOnly.run(ADA, sql, { rows: 200, bytes: 500_000, cost: 20_000 }).catch(() => undefined);
    return answer?.ok === true && !(await checkSql(sql)).ok;
  }

  async function weigh(tooMuch: (kilobytes: number) => void): Promise<void> {
    for (const { pid, kilobytes } of await peaksOf(db)) {
      report.mostKilobytes = Math.max(report.mostKilobytes, kilobytes);
      if (kilobytes <= MOST_KILOBYTES || blamed.has(pid)) continue;
      blamed.add(pid);
      tooMuch(kilobytes);
    }
  }
}

/** The numbers of one statement, whatever came before it. */
function drawFrom(seed: number, number: number): Draw {
  const draw = seeded(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  for (let warm = 0; warm < 5; warm += 1) draw(2);
  return draw;
}

const readQuestions = (): string[] =>
  readFileSync(new URL('questions.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(line.indexOf(' | ') + 3));

async function serverNames({ owner }: TestDatabase): Promise<ServerNames> {
  const [row] = await owner<ServerNames>(
    `select (select array_agg(distinct proname::text) from pg_proc) as functions,
            (select array_agg(distinct relname::text) from pg_class where relkind in ('r', 'v') and relname ~ '^\\w+$')
              as relations,
            (select array_agg(distinct typname::text) from pg_type where typname ~ '^[a-z]\\w*$') as types,
            (select array_agg(distinct oprname::text) from pg_operator) as operators`,
  );
  return row!;
}
