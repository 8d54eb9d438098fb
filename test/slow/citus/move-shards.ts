import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { TestDatabase } from '../../support/database.ts';

/** Pause of each member between inserts, so that a loaded machine has time for the moves. */
const PAUSE_MS = 20;

/** Placement of a shard that can move to the other worker, with the shards of its members in other tables. */
interface Placement {
  shardid: number;
  /** Port of the worker that has it. */
  nodeport: number;
}

/**
 * Moves each shard of members' accounts to the other worker while members insert rows. Asserts that no insert fails and
 * that each inserted row is there afterwards.
 */
export async function moveShardsUnderLoad(db: TestDatabase, workers: readonly string[]): Promise<void> {
  const members = Array.from({ length: 12 }, (_, n) => `moving_${n}`);
  await db.owner('insert into public.all_users (idp_id) select unnest($1::text[])', [members]);
  let moving = true;
  const inserted = new Map<string, number>();
  const insertRows = async (idpId: string): Promise<void> => {
    const member = db.database.asMember({ sub: idpId });
    while (moving) {
      // The role may insert these columns alone.
      await member.query(
        `insert into public.accounts (idp_id, name, currency, balance) values ($1, 'Cash', 'USD', 1)`,
        [idpId],
      );
      inserted.set(idpId, (inserted.get(idpId) ?? 0) + 1);
      await wait(PAUSE_MS);
    }
  };
  const inserts = Promise.all(members.map(insertRows));
  inserts.catch(() => {});
  const moves = await moveEachShard(db, workers).finally(() => {
    moving = false;
  });
  await inserts;
  const rows = await db.owner<{ idp_id: string; rows: number }>(
    `select a.idp_id, count(*)::int as rows from public.accounts a where a.idp_id = any ($1) group by 1`,
    [members],
  );
  assert.deepEqual(new Map(rows.map((row) => [row.idp_id, row.rows])), inserted);
  const total = [...inserted.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${total} inserts of ${members.length} members during ${moves} moves`);
  assert.ok(total > moves && members.every((idpId) => inserted.has(idpId)), 'the members insert during the moves');
}

/** Moves each shard of accounts, with the shards of the same members, to the other worker. Returns their number. */
async function moveEachShard(db: TestDatabase, workers: readonly string[]): Promise<number> {
  const ports = workers.map((worker) => Number(new URL(worker).port));
  const placements = await db.owner<Placement>(
    `select shardid, nodeport from citus_shards where table_name = 'public.accounts'::regclass order by shardid`,
  );
  for (const { shardid, nodeport } of placements) {
    const target = ports.find((port) => port !== nodeport)!;
    await db.owner(
      `select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, shard_transfer_mode => 'force_logical')`,
      [shardid, nodeport, target],
    );
  }
  return placements.length;
}
