/**
 * `npm run lab -- sql-fuzz [--minutes 5] [--seed n]`: statements that a grammar and mutations of the attacks make by
 * chance, run in one member's name behind every guard. Ends with 1 where one reads another member's row or another
 * table, writes, changes a session, runs past 3 s, takes more than 100 MB or answers more than 1 MB.
 */
import { parseArgs } from 'node:util';
import { createTestDatabase } from '../test/support/database.ts';
import { seed as anySeed } from '../test/support/long-tests.ts';
import { type FuzzReport, fuzzSql } from '../test/support/sql-attacks/fuzz-sql.ts';
import { furnishSqlRoom } from '../test/support/sql-room.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? anySeed);
const SAID_EVERY = 20_000;

/** What is known so far, without the statements. */
const brief = ({ faults, refusedThoughPlain, ...figures }: FuzzReport): string =>
  JSON.stringify({ ...figures, faults: faults.length, refusedThoughPlain: refusedThoughPlain.length });

const db = await createTestDatabase();
const started = performance.now();
let said = 0;
try {
  await furnishSqlRoom(db);
  const report = await fuzzSql(db, {
    ...{ seed, ends: started + minutes * 60_000, most: Number.POSITIVE_INFINITY },
    onProgress: (so_far) => {
      for (; said < so_far.faults.length; said += 1) console.log(`FAULT  ${so_far.faults[said]}`);
      if (so_far.statements % SAID_EVERY === 0) console.log(brief(so_far));
    },
  });
  for (; said < report.faults.length; said += 1) console.log(`FAULT  ${report.faults[said]}`);
  for (const sql of report.refusedThoughPlain.slice(0, 20)) console.log(`REFUSED THOUGH PLAIN  ${sql}`);
  const { rss } = process.memoryUsage();
  console.log(
    `${brief(report)}, ${Math.round((performance.now() - started) / 1000)} s, ${Math.round(rss / 1e6)} MB here`,
  );
  process.exitCode = report.faults.length > 0 ? 1 : 0;
} finally {
  await db.drop();
}
