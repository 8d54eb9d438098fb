// @module-tag slow
import assert from 'node:assert/strict';
import { chmod, readdir, rm } from 'node:fs/promises';
import { test, type TestContext } from 'vitest';
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

type Server = Awaited<ReturnType<typeof startEmbedded>>;

/** Starts a server that archives its write-ahead log, and copies its files. `stopLater` stops a server at the end. */
async function startArchivingServer(t: TestContext) {
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
  return { archive, copy, primary, stopLater: (server: { stop(): Promise<void> }) => servers.unshift(server) };
}

/** Adds a member, takes the time, and then adds another and deletes both. Returns the time. */
async function changeMembers({ ownerUrl }: Server): Promise<string> {
  const insert = (id: string) =>
    queryAsOwner(ownerUrl, `insert into public.all_users (idp_id, email) values ('${id}', '${id}@example.com')`);
  await insert('user_before');
  const [moment] = await queryAsOwner<{ at: string }>(ownerUrl, 'select clock_timestamp()::text as at');
  await insert('user_after');
  await queryAsOwner(ownerUrl, 'delete from public.all_users');
  return moment!.at;
}

/** Ends the current file of the write-ahead log and waits until it is in the archive. */
async function archiveLog({ ownerUrl }: Server, archive: string): Promise<void> {
  const select = 'select pg_walfile_name(pg_switch_wal()) as file';
  const [last] = await queryAsOwner<{ file: string }>(ownerUrl, select);
  await eventually(async () => (await readdir(archive)).includes(last!.file));
}

test('serves the data of the moment to which a server was restored', async (t) => {
  const { archive, copy, primary, stopLater } = await startArchivingServer(t);
  const moment = await changeMembers(primary);
  await archiveLog(primary, archive);

  const restored = await startEmbedded({
    dataDir: copy,
    secrets,
    throwaway: true,
    settings: {
      wal_level: 'replica',
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: moment,
      recovery_target_action: 'promote',
    },
  });
  stopLater(restored);
  const read = <Row extends object>(text: string) => queryAsOwner<Row>(restored.ownerUrl, text);
  await eventually(async () => !(await read<{ is: boolean }>('select pg_is_in_recovery() as is'))[0]!.is);

  assert.deepEqual(await read('select idp_id from public.all_users'), [{ idp_id: 'user_before' }]);
  await migrate(restored.ownerUrl, { logins: restored.urls, afterMigrations: migrateJobs });
  const database = connectDatabase(restored.urls);
  stopLater({ stop: () => database.close() });
  assert.deepEqual(await listPendingMigrations(database.service), []);
  const memberSql = database.asMember({ sub: 'user_before' });
  assert.deepEqual(await memberSql.query('select email from public.all_users'), [{ email: 'user_before@example.com' }]);
});
