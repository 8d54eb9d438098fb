import { readFileSync } from 'node:fs';
import { runSql, type SqlResult } from '../../../src/features/assistant/sql/run-sql.ts';
import type { TestDatabase } from '../database.ts';
import { OUR_ROLES } from '../rls/surroundings.ts';
import { ADA, BOB, SECRET, SECRET_QUANTITY } from '../sql-fixture.ts';

/** A statement with its expected outcome: the rejecting guard, `too_expensive` or `answered`. */
interface Attack {
  expected: string;
  sql: string;
}

/** Returns every attack. Each line has the expected outcome, a bar and the statement. */
export const readAttacks = (): Attack[] =>
  readFileSync(new URL('attacks.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => ({ expected: line.slice(0, line.indexOf(' | ')), sql: line.slice(line.indexOf(' | ') + 3) }));

export const MAX_DURATION_MS = 3_000;
export const MAX_BYTES = 1_000_000;
export const MAX_KILOBYTES = 100_000;

interface AttackReport {
  /** One sentence for each attack with a forbidden effect. */
  faults: string[];
  slowestMs: number;
  largestBytes: number;
  /** Maximum memory of a database process beyond shared memory in kB, or 0 where it cannot be read. */
  maxKilobytes: number;
}

/** Runs attacks in Ada's name through every guard. */
export async function runAttacks(db: TestDatabase, attacks: readonly Attack[]): Promise<AttackReport> {
  const report: AttackReport = { faults: [], slowestMs: 0, largestBytes: 0, maxKilobytes: 0 };
  const { faults } = report;
  const readOnly = db.database.readOnly!;
  const before = await snapshotDatabase(db);
  for (const { expected, sql } of attacks) {
    const addFault = (description: string): void => {
      faults.push(`${description}: ${sql.slice(0, 160)}`);
    };
    const started = performance.now();
    const response = await runSql({ database: readOnly, isWatchlistOn: async () => true }, ADA, sql).catch(String);
    const durationMs = performance.now() - started;
    const text = JSON.stringify(response);
    report.slowestMs = Math.max(report.slowestMs, Math.round(durationMs));
    report.largestBytes = Math.max(report.largestBytes, text.length);
    if (typeof response === 'string') addFault(response);
    else {
      const outcome = getOutcome(response);
      if (outcome !== expected) addFault(`expected ${expected}, got ${outcome}`);
    }
    if (hasLeak(text, sql)) addFault("reads another member's row");
    if (durationMs > MAX_DURATION_MS) addFault(`took ${durationMs.toFixed(0)} ms`);
    if (text.length > MAX_BYTES) addFault(`answered ${text.length} bytes`);
  }
  if ((await snapshotDatabase(db)) !== before) faults.push('something was written, or a session was changed');
  report.maxKilobytes = Math.max(0, ...(await readPeakMemory(db)).map(({ kilobytes }) => kilobytes));
  if (report.maxKilobytes > MAX_KILOBYTES) faults.push(`a process of the database took ${report.maxKilobytes} kB`);
  return report;
}

/** Returns `answered`, the rejecting rule, or the reason of a failure. */
export function getOutcome(result: SqlResult): string {
  if (result.ok) return 'answered';
  return 'rule' in result ? result.rule : result.reason;
}

/** Runs attacks without the parser, as if it accepted everything. `faults` lists what the database then allows. */
export async function runPastParser(db: TestDatabase, attacks: readonly Attack[]): Promise<string[]> {
  const faults: string[] = [];
  const before = await snapshotDatabase(db);
  for (const { sql } of attacks) {
    const response = await db.database
      .readOnly!.run(ADA, sql, { rows: 200, bytes: 500_000, cost: 20_000 })
      .catch(String);
    if (hasLeak(JSON.stringify(response), sql)) faults.push(`reads another member's row: ${sql.slice(0, 160)}`);
  }
  if ((await snapshotDatabase(db)) !== before) faults.push('something was written, or a session was changed');
  return faults;
}

/** Bob's quantity as a number of its own, since many quotients start with 0.777777. */
const SECRET_NUMBER = new RegExp(`(?<![\\d.])${SECRET_QUANTITY}(?!\\d)`);

/**
 * Returns true if the text contains data of Bob. A statement may return values that it names itself, and the catalog is
 * public.
 */
export const hasLeak = (text: string, sql: string): boolean =>
  (SECRET_NUMBER.test(text) && !sql.includes(String(SECRET_QUANTITY))) ||
  (text.includes('BOBX') && !/BOBX|securities|prices|closes/.test(sql)) ||
  (text.includes(SECRET) && !sql.includes(SECRET));

/**
 * Parts of the catalog that only a statement changes. Excludes what vacuum writes, and roles of other databases, which
 * concurrent tests create and drop.
 */
const remainingEffects = [
  `(select oid, relname, relnamespace, relowner, relkind, relpersistence, relrowsecurity, relforcerowsecurity,
      reloptions, relacl from pg_class)`,
  'pg_proc',
  'pg_policy',
  'pg_namespace',
  `(select * from pg_roles where rolname in ${OUR_ROLES})`,
  `(select * from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database())
      or setdatabase = 0 and setrole in (select oid from pg_roles where rolname in ${OUR_ROLES}))`,
];

/** Returns every table's rows, the catalog's own objects and the settings of each connection as one text. */
export async function snapshotDatabase({ owner, database }: TestDatabase): Promise<string> {
  const tables = await owner<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('information_schema', 'pg_catalog') order by 1`,
  );
  const sums = [...tables.map(({ name }) => name), ...remainingEffects].map(
    (rows) => `(select md5(string_agg(t::text, '' order by t::text)) from ${rows} t)`,
  );
  const [row] = await owner<{ state: string[] }>(`select array[${sums.join()}] as state`);
  // A session's first function loads the settings of its language, and each statement sets its own timeout.
  const wanted = "select name, setting from pg_settings where name !~ '^plpgsql|^statement_timeout$' order by 1";
  const responses = await Promise.all(
    [ADA, BOB].map((member) => database.readOnly!.run(member, wanted, { rows: 999, bytes: 1e6, cost: 1e6 })),
  );
  const settings = responses.map(({ milliseconds: _, ...answer }) => answer);
  return JSON.stringify([row, settings]);
}

/** Returns the peak memory of each process with a member's SQL in kB, without shared memory. Linux only. */
export async function readPeakMemory({ owner, name }: TestDatabase): Promise<{ pid: number; kilobytes: number }[]> {
  if (process.platform !== 'linux') return [];
  const rows = await owner<{ pid: number }>(
    `select pid from pg_stat_activity where usename = 'assistant_authenticator' and datname = $1`,
    [name],
  );
  return rows.flatMap(({ pid }) => {
    const status = readProcessStatus(pid);
    if (status === undefined) return [];
    const read = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return { pid, kilobytes: read('VmHWM') - read('RssShmem') };
  });
}

/** Returns the kernel's status of a process, or `undefined` if the process has ended. */
function readProcessStatus(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return undefined;
  }
}
