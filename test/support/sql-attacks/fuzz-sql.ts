import { readFileSync } from 'node:fs';
import pg from 'pg';
import { checkSql } from '../../../src/features/assistant/sql/check-sql.ts';
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
import { type Random, mutateStatement, type ServerNames, generateStatement } from './sql-grammar.ts';

interface FuzzReport {
  statements: number;
  seed: number;
  /** Number of statements by outcome: answered, the rejecting rule, `too_expensive`, `timed_out`. */
  countByOutcome: Record<string, number>;
  slowestMs: number;
  slowest: string;
  largestBytes: number;
  /** Maximum memory of a database process beyond shared memory in kB, or 0 where it cannot be read. */
  maxKilobytes: number;
  /** One sentence for each forbidden effect. */
  faults: string[];
  /** Statements of plain parts that a guard for names rejected although the server would have answered them. */
  rejectedValidStatements: string[];
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
 * Runs random statements in Ada's name, from a grammar and from mutations of attacks and questions. Stops at `ends` (ms
 * of `performance.now()`) or after `maxStatements` statements. Checks each statement for forbidden effects.
 */
export async function fuzzSql(
  db: TestDatabase,
  { seed, ends, maxStatements }: { seed: number; ends: number; maxStatements: number },
): Promise<FuzzReport> {
  const readOnly = db.database.readOnly!;
  const names = await listServerNames(db);
  const seeds = [...readAttacks().map(({ sql }) => sql), ...readQuestions()];
  const report: FuzzReport = {
    statements: 0,
    seed,
    countByOutcome: {},
    slowestMs: 0,
    slowest: '',
    largestBytes: 0,
    maxKilobytes: 0,
    faults: [],
    rejectedValidStatements: [],
  };
  const planner = new pg.Client({
    connectionString: db.ownerUrl,
    options: '-c search_path=assistant,pg_catalog -c statement_timeout=2500',
  });
  planner.on('error', () => {});
  await planner.connect();
  let before = await snapshotWithRetry();
  const suspectSql = new Set<number>();

  while (report.statements < maxStatements && performance.now() < ends) {
    const statementIndex = report.statements;
    const isPlain = statementIndex % 3 === 0;
    const sql = make(statementIndex, isPlain);
    report.statements += 1;
    const fault = (description: string): void => {
      report.faults.push(`${description} (seed ${seed}, ${statementIndex}): ${sql}`);
    };
    let { answer, durationMs } = await run(sql);
    // A busy machine can delay any statement. Only a slow statement is slow in each attempt.
    for (let attempt = 0; attempt < 3 && (durationMs > MAX_DURATION_MS || answer === UNAVAILABLE); attempt += 1)
      ({ answer, durationMs } = await run(sql));
    const text = JSON.stringify(answer);
    if (durationMs > report.slowestMs) {
      report.slowestMs = durationMs;
      report.slowest = sql;
    }
    report.largestBytes = Math.max(report.largestBytes, text.length);
    if (typeof answer === 'string') {
      fault(answer);
      continue;
    }
    const outcome = getOutcome(answer);
    report.countByOutcome[outcome] = (report.countByOutcome[outcome] ?? 0) + 1;
    if (hasLeak(text, sql)) fault("reads another member's row");
    if (durationMs > MAX_DURATION_MS) fault(`took ${durationMs.toFixed(0)} ms`);
    if (text.length > MAX_BYTES) fault(`answered ${text.length} bytes`);
    if (answer.ok) for (const one of await readBy(sql)) fault(`reads ${one}`);
    if (isPlain && outcome === 'name' && (await isWithinLimits(sql))) report.rejectedValidStatements.push(sql);
    if (answer.ok || outcome === 'server' || outcome === 'timed_out' || outcome === 'too_expensive')
      await estimateCost((kilobytes) => fault(`took ${kilobytes} kB`));
    if (report.statements % CHECK_INTERVAL === 0) {
      await assertStateUnchanged();
    }
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

  function make(statementIndex: number, isPlain: boolean): string {
    const draw = createDraw(seed, statementIndex);
    if (isPlain) return generateStatement(draw, names, 0);
    if (statementIndex % 3 === 1) return generateStatement(draw, names, 60);
    const one = draw(2) === 0 ? seeds[draw(seeds.length)]! : generateStatement(draw, names, 20);
    return mutateStatement(draw, one, seeds[draw(seeds.length)]!);
  }

  /** Returns the tables in the plan of an answered statement that no view uses. The planner lists the tables. */
  async function readBy(sql: string): Promise<string[]> {
    // Some answered statements fail here, since the owner's rights plan them.
    const { rows } = await planner.query(`explain (format json) ${sql}`).catch(() => ({ rows: [] }));
    const found = [...JSON.stringify(rows).matchAll(/"Relation Name":"([^"]+)"/g)].map(([, name]) => name!);
    return found.filter((name) => !READ.has(name));
  }

  async function isWithinLimits(sql: string): Promise<boolean> {
    const response = await readOnly.run(ADA, sql, { rows: 200, bytes: 500_000, cost: 20_000 }).catch(() => undefined);
    return response?.ok === true && !(await checkSql(sql)).ok;
  }

  async function estimateCost(isTooExpensive: (kilobytes: number) => void): Promise<void> {
    for (const { pid, kilobytes } of await readPeakMemory(db)) {
      report.maxKilobytes = Math.max(report.maxKilobytes, kilobytes);
      if (kilobytes <= MAX_KILOBYTES || suspectSql.has(pid)) continue;
      suspectSql.add(pid);
      isTooExpensive(kilobytes);
    }
  }
}

/** Returns the random numbers of one statement, independent of earlier statements. */
function createDraw(seed: number, statementIndex: number): Random {
  const draw = seeded(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(statementIndex + 1, 0x85ebca6b));
  for (let warmUp = 0; warmUp < 5; warmUp += 1) draw(2);
  return draw;
}

const readQuestions = (): string[] =>
  readFileSync(new URL('questions.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(line.indexOf(' | ') + 3));

async function listServerNames({ owner }: TestDatabase): Promise<ServerNames> {
  const [row] = await owner<ServerNames>(
    `select (select array_agg(distinct proname::text) from pg_proc) as functions,
            (select array_agg(distinct relname::text) from pg_class where relkind in ('r', 'v') and relname ~ '^\\w+$')
              as relations,
            (select array_agg(distinct typname::text) from pg_type where typname ~ '^[a-z]\\w*$') as types,
            (select array_agg(distinct oprname::text) from pg_operator) as operators`,
  );
  return row!;
}
