import assert from 'node:assert/strict';
import pg from 'pg';
import { MEMBER_TABLES } from '../../../src/platform/database/distribute.ts';
import { connectDatabase, type Database } from '../../../src/platform/database/connect.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  addSymbols,
  addTo,
  createMember,
  readListState,
  startServers,
  raceAdds,
} from '../../support/watchlist-race.ts';

const MEMBERS = 40;
const ADDS = 60;

/**
 * Checks members' rows on the cluster in the environment. No member can read another's rows, not even directly on a
 * worker. Concurrent adds in two processes are exact. Throws if a check fails.
 */
export async function checkMembersRows(workers: readonly string[]): Promise<void> {
  const db = await createTestDatabase();
  const servers = await startServers(db);
  try {
    const symbols = await addSymbols(db, 100 + ADDS);
    const full = await createMember(db, servers.urls[0], 'pro', symbols.slice(0, 90));
    const responses = await raceAdds(
      servers.urls,
      12,
      symbols.slice(100).map((symbol) => addTo(full, symbol)),
    );
    console.log(`${ADDS} adds race over two processes for the last 10 of 100 rows:`, responses);
    assert.deepEqual(responses, { 201: 10, 403: ADDS - 10 });
    assert.deepEqual(await readListState(db, full.idpId), { rows: 100, dense: true });

    await insertMembers(db, symbols.slice(0, 5));
    await printShardPlacement(db);
    await checkIsolation(db, workers);
  } finally {
    await servers.stop();
    await db.drop();
  }
}

async function insertMembers(db: TestDatabase, symbols: readonly string[]): Promise<void> {
  await db.owner(`insert into public.all_users (idp_id) select 'member_' || n from generate_series(1, $1) n`, [
    MEMBERS,
  ]);
  await db.owner(
    `insert into public.watchlist_items (idp_id, symbol, position)
     select 'member_' || n, s, place from generate_series(1, $1) n, unnest($2::text[]) with ordinality as g (s, place)`,
    [MEMBERS, symbols],
  );
}

/** Prints the distribution of the rows. A single server would prove nothing. */
async function printShardPlacement(db: TestDatabase): Promise<void> {
  const shardPlacement = await db.owner<{ nodeport: number; members: number }>(
    `select s.nodeport, count(*)::int as members
       from (select get_shard_id_for_distribution_column('public.watchlist_items', 'member_' || n) as shard
               from generate_series(1, $1) n) m
       join citus_shards s on s.shardid = m.shard group by 1 order by 1`,
    [MEMBERS],
  );
  console.log('Members by server:', shardPlacement.map(({ members }) => members).join(', '));
  assert.ok(shardPlacement.length >= 2, 'the rows are on one server');
}

/** Checks that a member sees only their own rows, through each server and in the shards of each worker. */
async function checkIsolation(db: TestDatabase, workers: readonly string[]): Promise<void> {
  const listOwners = async (database: Database, idpId: string): Promise<string[]> => {
    const found = new Set<string>();
    for (const table of MEMBER_TABLES) {
      const [privileges] = await db.owner<{ may: boolean }>(
        `select has_table_privilege('authenticated', $1, 'select') as may`,
        [`public.${table}`],
      );
      if (!privileges!.may) continue;
      const rows = await database
        .asMember({ sub: idpId })
        .query<{ idp_id: string }>(`select distinct idp_id from public.${table}`);
      for (const row of rows) found.add(row.idp_id);
    }
    return [...found];
  };
  assert.deepEqual(await listOwners(db.database, 'member_1'), ['member_1']);
  assert.deepEqual(await listOwners(db.database, 'nobody'), []);
  for (const worker of workers) {
    const database = connectDatabase({ ...db.urls, authenticator: getWorkerUrl(db, worker) }, { distributed: true });
    assert.deepEqual(await listOwners(database, 'member_1'), ['member_1']);
    assert.deepEqual(await listOwners(database, 'nobody'), []);
    await database.close();
  }
  const visibleCounts = { own: 0, others: 0, without: 0 };
  for (const worker of workers) {
    const client = new pg.Client({ connectionString: getWorkerUrl(db, worker) });
    await client.connect();
    try {
      // The server lists the shards nowhere, but they can be queried by name.
      const shards = await db.owner<{ name: string }>(
        `select shard_name as name from citus_shards
          where table_name = 'public.watchlist_items'::regclass and nodeport = $1`,
        [Number(new URL(worker).port)],
      );
      for (const { name } of shards) {
        const count = async (sub: string | undefined): Promise<{ ownCount: number; otherCount: number }> => {
          await client.query('begin');
          await client.query('set local role authenticated');
          if (sub !== undefined) await client.query(`set local request.jwt.claim.sub to ${pg.escapeLiteral(sub)}`);
          const { rows } = await client.query<{ ownCount: number; otherCount: number }>(
            `select count(*) filter (where idp_id = $1)::int as "ownCount",
                    count(*) filter (where idp_id <> $1)::int as "otherCount"
               from ${name}`,
            [sub ?? ''],
          );
          await client.query('rollback');
          return rows[0]!;
        };
        const mine = await count('member_1');
        visibleCounts.own += mine.ownCount;
        visibleCounts.others += mine.otherCount;
        const none = await count(undefined);
        visibleCounts.without += none.ownCount + none.otherCount;
      }
    } finally {
      await client.end();
    }
  }
  console.log('Rows that member_1 sees in the shards:', visibleCounts);
  assert.deepEqual([visibleCounts.others, visibleCounts.without], [0, 0]);
  assert.equal(visibleCounts.own, 5);
}

const getWorkerUrl = (db: TestDatabase, worker: string): string => {
  const url = new URL(db.urls.authenticator);
  url.host = new URL(worker).host;
  return url.href;
};
