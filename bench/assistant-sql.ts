/**
 * `npm run bench -- assistant-sql [--seconds 3]`: what a call of the member's SQL tool takes beside the same statement
 * through pgbench, in the same transaction (read only, role and claims put on, rolled back), one client each. The
 * answers are compared first. Needs pgbench on the path. Ends with 1 where a call takes more than three times as long.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createTestDatabase } from '../test/support/database.ts';
import { ADA, askAs, furnishSqlRoom } from '../test/support/sql-room.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '3' } } });
const seconds = Number(values.seconds);
const MOST_TIMES = 3;

const statements = [
  'select symbol, position from watchlist_items order by position',
  'select symbol, sum(quantity), sum(value) from holdings group by symbol order by 3 desc',
  'select w.symbol, p.price, p.change_1d from watchlist_items w join prices p using (symbol) order by w.position',
  "select day, total from net_worth where currency = 'USD' order by day",
  "select day, close from closes where symbol = 'AAPL' order by day desc limit 30",
];

const folder = mkdtempSync(join(tmpdir(), 'tally-assistant-sql-'));
const db = await createTestDatabase();
try {
  await furnishSqlRoom(db, 3_000);
  const ask = askAs(db.database);
  let worst = 0;
  for (const [at, sql] of statements.entries()) {
    const answer = await ask(sql);
    assert.ok(answer.ok && answer.rows.length > 0, sql);
    const tool = await timeOf(() => ask(sql));
    const peer = pgbench(join(folder, `${at}.sql`), sql);
    const again = await timeOf(() => ask(sql));
    const mine = Math.min(tool, again);
    worst = Math.max(worst, mine / peer);
    console.log(`${mine.toFixed(2)} ms, pgbench ${peer.toFixed(2)} ms, ${(mine / peer).toFixed(2)} times: ${sql}`);
  }
  console.log(`at worst ${worst.toFixed(2)} times; the goal is at most ${MOST_TIMES}`);
  process.exitCode = worst > MOST_TIMES ? 1 : 0;
} finally {
  await db.drop();
  rmSync(folder, { recursive: true });
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

/** Median milliseconds of a call, after 50 to warm up. */
async function timeOf(call: () => Promise<unknown>): Promise<number> {
  for (let warm = 0; warm < 50; warm += 1) await call();
  const times: number[] = [];
  for (const ends = performance.now() + 1_000 * seconds; performance.now() < ends;) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
  }
  return medianOf(times);
}

/** Median milliseconds of the statement in its transaction, by pgbench's own log. */
function pgbench(file: string, sql: string): number {
  const { username, password, searchParams, pathname } = new URL(
    db.urls.assistant!.replace('@/', '@socket/').replace('postgres:', 'http:'),
  );
  const claims = JSON.stringify({ sub: ADA, role: 'assistant' });
  const identity = `select set_config('role', 'assistant', true), set_config('request.jwt.claims', '${claims}', true),
    set_config('request.jwt.claim.sub', '${ADA}', true);`.replaceAll('\n', ' ');
  writeFileSync(file, ['begin read only;', identity, `${sql};`, 'rollback;'].join('\n'));
  const logs = mkdtempSync(join(folder, 'log-'));
  execFileSync(
    'pgbench',
    ['-n', '-l', '-T', String(seconds), '-f', file, '-h', searchParams.get('host')!, '-U', username, pathname.slice(1)],
    { cwd: logs, env: { ...process.env, PGPASSWORD: decodeURIComponent(password) } },
  );
  const [log] = globSync(join(logs, 'pgbench_log.*'));
  // Client, transaction, microseconds, …
  const lines = readFileSync(log!, 'utf8').trimEnd().split('\n');
  return medianOf(lines.map((line) => Number(line.split(' ')[2]) / 1_000));
}
