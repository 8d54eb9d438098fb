// @module-tag slow
import assert from 'node:assert/strict';
import { chmod, readdir, rm } from 'node:fs/promises';
import { test } from 'vitest';
import { queryAsOwner } from '../../../test/support/cluster.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createFolder } from '../../../test/support/memory-folder.ts';
import { prepareData } from '../../../test/support/prepared-data.ts';
import { serverSecrets as secrets } from '../../../test/support/own-server.ts';
import { copyFiles } from '../../../test/support/standby.ts';
import { migrateJobs } from '../jobs/migrate-jobs.ts';
import { connectDatabase } from './connect.ts';
import { startEmbedded } from './embedded.ts';
import { migrate, listPendingMigrations } from './migrate.ts';

/** Returns a folder, in memory if there is room. A throw-away server removes its own folder. */
const folder = (name: string): Promise<string> => createFolder(`tally-${name}-`);

test('serves the data of the moment to which a server was restored', async (t) => {
  const archive = await folder('archive');
  const dataDir = await folder('primary');
  const copy = await folder('restored');
  const servers: { stop(): Promise<void> }[] = [];
  t.onTestFinished(async () => {
    for (const server of servers) await server.stop();
    await rm(archive, { recursive: true, force: true });
  });
  // The server may run as another user than this process.
  await chmod(archive, 0o777);
  await prepareData(dataDir);
  const primary = await startEmbedded({
    dataDir,
    secrets,
    throwaway: true,
    settings: { wal_level: 'replica', archive_mode: 'on', archive_command: `cp %p ${archive}/%f` },
  });
  servers.push(primary);
  await migrate(primary.ownerUrl, { logins: primary.urls, afterMigrations: migrateJobs });
  await copyFiles(primary.ownerUrl, dataDir, copy, 'recovery.signal');

  const insert = (id: string) =>
    queryAsOwner(
      primary.ownerUrl,
      `insert into public.all_users (idp_id, email) values ('${id}', '${id}@example.com')`,
    );
  await insert('user_before');
  const [moment] = await queryAsOwner<{ at: string }>(primary.ownerUrl, 'select clock_timestamp()::text as at');
  await insert('user_after');
  await queryAsOwner(primary.ownerUrl, 'delete from public.all_users');
  const [last] = await queryAsOwner<{ file: string }>(
    primary.ownerUrl,
    'select pg_walfile_name(pg_switch_wal()) as file',
  );
  await eventually(async () => (await readdir(archive)).includes(last!.file));

  const restored = await startEmbedded({
    dataDir: copy,
    secrets,
    throwaway: true,
    settings: {
      wal_level: 'replica',
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: moment!.at,
      recovery_target_action: 'promote',
    },
  });
  servers.push(restored);
  const read = <Row extends object>(text: string) => queryAsOwner<Row>(restored.ownerUrl, text);
  await eventually(async () => !(await read<{ is: boolean }>('select pg_is_in_recovery() as is'))[0]!.is);
  assert.deepEqual(await read('select idp_id from public.all_users'), [{ idp_id: 'user_before' }]);

  await migrate(restored.ownerUrl, { logins: restored.urls, afterMigrations: migrateJobs });
  const database = connectDatabase(restored.urls);
  servers.unshift({ stop: () => database.close() });
  assert.deepEqual(await listPendingMigrations(database.service), []);
  const memberSql = database.asMember({ sub: 'user_before' });
  assert.deepEqual(await memberSql.query('select email from public.all_users'), [{ email: 'user_before@example.com' }]);
});
