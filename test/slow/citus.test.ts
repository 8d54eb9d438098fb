import { test } from 'node:test';
import { findCitus, startCitus } from '../support/citus.ts';
import { checkMembersRows } from './citus/members-rows.ts';

// Runs in a process of its own: its databases stand on a cluster of its own.

const bin = await findCitus();

test(
  "members' rows are spread, isolated and exact when the database is a Citus cluster",
  {
    ...(bin === undefined && { skip: 'no PostgreSQL with Citus; test/slow/build-citus.sh builds it' }),
  },
  async (t) => {
    const citus = await startCitus(bin!);
    const before = { ...process.env };
    t.after(async () => {
      process.env = before;
      await citus.stop();
    });
    Object.assign(process.env, citus.env);
    await checkMembersRows(citus.cluster.workers!);
  },
);
