import assert from 'node:assert/strict';
import { lockCredentials } from '../../src/embedded/identity/revoke-credentials.ts';
import type { ServiceSql } from '../../src/platform/database/roles.ts';
import type { TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/**
 * Makes a change of the user while `send` waits for the lock of the account, and returns the result of `send`. Throws if
 * it does not wait.
 */
export async function sendDuringChange<Sent>(
  { database, owner }: Pick<TestDatabase, 'database' | 'owner'>,
  userId: string,
  send: () => Promise<Sent>,
  change: (sql: ServiceSql) => Promise<unknown>,
): Promise<Sent> {
  // In an object, because the transaction would wait for a promise.
  const { sending } = await database.service.transaction(async (sql) => {
    await lockCredentials(sql, userId);
    const sent = send();
    const request = { hasEnded: false };
    const recordEnd = () => {
      request.hasEnded = true;
    };
    sent.then(recordEnd, recordEnd);
    await eventually(async () => request.hasEnded || (await owner(WAITING)).length > 0);
    assert.ok(!request.hasEnded, 'it waits for the lock of the account');
    await change(sql);
    return { sending: sent };
  });
  return sending;
}
