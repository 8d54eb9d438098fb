import { readFileSync } from 'node:fs';
import pg from 'pg';
import { runSql, type SqlResult } from '../../../src/features/assistant/sql/run-sql.ts';
import { AppError } from '../../../src/errors.ts';
import type { TestDatabase } from '../database.ts';
import { ADA } from '../sql-fixture.ts';
import { seeded } from '../seeded.ts';
import {
  hasLeak,
  MAX_DURATION_MS,
  MAX_BYTES,
  MAX_KILOBYTES,
  readPeakMemory,
  readAttacks,
  snapshotDatabase,
  getOutcome,
} from './run-attacks.ts';

interface FuzzReport {
  statements: number;
  /** Number of answered statements. If it is small, most mutations are no SQL. */
  answered: number;
  /** One sentence for each forbidden effect. */
  faults: string[];
}

/** Tables beneath the views of the schema "assistant", which a plan may name. */
const READ = new Set([
  'watchlist_items',
  'accounts',
  'manual_public_holdings',
  'connected_holdings',
  'net_worth_snapshots',
  'subscriptions',
  'tier_grants',
  'plans',
  'tracked_tickers_latest',
  'tracked_tickers_historical',
]);
const CHECK_INTERVAL = 500;
/** The outcome if no connection was available in time. */
const UNAVAILABLE = 'found no connection in any attempt';

/**
 * Runs mutations of attacks and questions in Ada's name, with names of the server's catalog among their words. Stops at
 * `ends` (ms of `performance.now()`). Checks each statement for forbidden effects.
 */
export async function fuzzSql(db: TestDatabase, { seed, ends }: { seed: number; ends: number }): Promise<FuzzReport> {
  const readOnly = db.database.readOnly!;
  const names = await listServerNames(db);
  const seeds = [...readAttacks().map(({ sql }) => sql), ...readQuestions()];
  const report: FuzzReport = { statements: 0, answered: 0, faults: [] };
  const planner = new pg.Client({
    connectionString: db.ownerUrl,
    options: '-c search_path=assistant,pg_catalog -c statement_timeout=2500',
  });
  planner.on('error', () => {});
  await planner.connect();
  let before = await snapshotWithRetry();
  const suspectSql = new Set<number>();

  while (performance.now() < ends) {
    const statementIndex = report.statements;
    const draw = createDraw(seed, statementIndex);
    const sql = mutateStatement(draw, seeds[draw(seeds.length)]!, seeds[draw(seeds.length)]!, names);
    report.statements += 1;
    const fault = (description: string): void => {
      report.faults.push(`${description} (seed ${seed}, ${statementIndex}): ${sql}`);
    };
    let { answer, durationMs } = await run(sql);
    // A busy machine can delay any statement. Only a slow statement is slow in each attempt.
    for (let attempt = 0; attempt < 3 && (durationMs > MAX_DURATION_MS || answer === UNAVAILABLE); attempt += 1)
      ({ answer, durationMs } = await run(sql));
    if (typeof answer === 'string') {
      fault(answer);
      continue;
    }
    const text = JSON.stringify(answer);
    const outcome = getOutcome(answer);
    if (hasLeak(text, sql)) fault("reads another member's row");
    if (durationMs > MAX_DURATION_MS) fault(`took ${durationMs.toFixed(0)} ms`);
    if (text.length > MAX_BYTES) fault(`answered ${text.length} bytes`);
    if (answer.ok) {
      report.answered += 1;
      for (const one of await readBy(sql)) fault(`reads ${one}`);
    }
    if (answer.ok || outcome === 'server' || outcome === 'timed_out' || outcome === 'too_expensive')
      for (const { pid, kilobytes } of await readPeakMemory(db)) {
        if (kilobytes <= MAX_KILOBYTES || suspectSql.has(pid)) continue;
        suspectSql.add(pid);
        fault(`took ${kilobytes} kB`);
      }
    if (report.statements % CHECK_INTERVAL === 0) await assertStateUnchanged();
  }
  await assertStateUnchanged();
  await planner.end();
  return report;

  /** Retries the snapshot, since a busy machine may have no connection in time. */
  async function snapshotWithRetry(): Promise<string> {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const state = await snapshotDatabase(db).catch(() => undefined);
      if (state !== undefined) return state;
    }
    return snapshotDatabase(db);
  }

  async function assertStateUnchanged(): Promise<void> {
    const state = await snapshotWithRetry();
    if (state !== before)
      report.faults.push(`a statement before ${report.statements} wrote, or changed a session (seed ${seed})`);
    before = state;
  }

  async function run(sql: string): Promise<{ answer: SqlResult | string; durationMs: number }> {
    const started = performance.now();
    const tool = { database: readOnly, isWatchlistOn: async () => true };
    const response = await runSql(tool, ADA, sql).catch((error: Error) =>
      error instanceof AppError && error.code === 'UNAVAILABLE' ? UNAVAILABLE : `threw ${error.message}`,
    );
    return { answer: response, durationMs: performance.now() - started };
  }

  /** Returns the tables in the plan of an answered statement that no view uses. The planner lists the tables. */
  async function readBy(sql: string): Promise<string[]> {
    // Some answered statements fail here, since the owner's rights plan them.
    const { rows } = await planner.query(`explain (format json) ${sql}`).catch(() => ({ rows: [] }));
    const found = [...JSON.stringify(rows).matchAll(/"Relation Name":"([^"]+)"/g)].map(([, name]) => name!);
    return found.filter((name) => !READ.has(name));
  }
}

/** Returns the random numbers of one statement, independent of earlier statements. */
function createDraw(seed: number, statementIndex: number): (below: number) => number {
  const draw = seeded(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(statementIndex + 1, 0x85ebca6b));
  for (let warmUp = 0; warmUp < 5; warmUp += 1) draw(2);
  return draw;
}

const readQuestions = (): string[] =>
  readFileSync(new URL('questions.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(line.indexOf(' | ') + 3));

/** Returns the names of functions, relations, types and operators of the server's own catalog. */
async function listServerNames({ owner }: TestDatabase): Promise<string[]> {
  const rows = await owner<{ name: string }>(
    `select proname::text as name from pg_proc union select relname from pg_class where relkind in ('r', 'v')
      union select typname from pg_type union select oprname from pg_operator order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Returns a statement with some words left out, doubled, copied from another one, or replaced by names of the server. */
function mutateStatement(
  draw: (below: number) => number,
  statement: string,
  other: string,
  names: readonly string[],
): string {
  const pickFrom = <T>(list: readonly T[]): T => list[draw(list.length)]!;
  const tokenize = (text: string): string[] => text.match(/\w+|\s+|'(?:[^']|'')*'|[^\w\s]/g) ?? [' '];
  const tokens = tokenize(statement);
  const otherTokens = tokenize(other);
  for (let changes = 1 + draw(3); changes > 0; changes -= 1) {
    const at = draw(Math.max(1, tokens.length));
    const start = draw(otherTokens.length);
    pickFrom([
      () => tokens.splice(at, 1),
      () => tokens.splice(at, 1, pickFrom(otherTokens)),
      () => tokens.splice(at, 1, pickFrom(names)),
      () => tokens.splice(at, 0, tokens[draw(tokens.length)] ?? ''),
      () => tokens.splice(at, 0, ...otherTokens.slice(start, start + 1 + draw(8))),
      () => tokens.splice(at, 1 + draw(5)),
      () => tokens.splice(at, 0, pickFrom(['\u0000', '--', '/*', '*/', ';', '\u00a0', '\ud800', '"', "'", '$$', '\\'])),
    ])();
  }
  return tokens.join('');
}
