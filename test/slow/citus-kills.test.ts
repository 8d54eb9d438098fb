// @module-tag slow
// @module-tag alone
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { test } from 'vitest';
import { startCitusForTest } from '../support/citus.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { sendRequest, TestBrowser } from '../support/identity.ts';
import { startService } from '../support/service.ts';

const MEMBERS = 8;
/** Pause in ms between two requests of a member, which leaves processor time for the server's restart. */
const PAUSE_MS = 50;

test('loses no acknowledged account and answers no 500 when each server is killed and returns', async (t) => {
  const citus = await startCitusForTest(t);
  const db = await createTestDatabase(t);
  const nodes = citus.cluster.workers!.map((worker) => new URL(worker).host);
  const service = await startService({ WORKER: 'off', API_RATE_LIMIT: '1000000', DB_READ_NODES: nodes.join(',') }, db);
  t.onTestFinished(() => service.stop());
  const members = await Promise.all(Array.from({ length: MEMBERS }, () => createWriter(service.url)));
  let writing = true;
  const writers = Promise.all(
    members.map(async (member) => {
      while (writing) {
        await member.write();
        await wait(PAUSE_MS);
      }
    }),
  );
  writers.catch(() => {});
  const everyoneWrites = async (): Promise<void> => {
    const counts = members.map(({ acknowledged }) => acknowledged.length);
    await eventually(() => members.every(({ acknowledged }, index) => acknowledged.length > counts[index]!));
  };
  try {
    for (const server of [1, 2, 0]) {
      await everyoneWrites();
      await citus.killServer(server);
      const failures = members.map(({ statuses }) => statuses.get(503) ?? 0);
      await eventually(() => members.some(({ statuses }, index) => (statuses.get(503) ?? 0) > failures[index]!));
      citus.restartServer(server);
      await everyoneWrites();
    }
  } finally {
    writing = false;
  }
  await writers;
  const statuses = members.flatMap((member) => [...member.statuses]);
  const total = (status: number) => statuses.filter(([code]) => code === status).reduce((sum, [, n]) => sum + n, 0);
  console.log(`${total(201)} accounts acknowledged, ${total(503)} answers of 503`);
  assert.deepEqual([...new Set(statuses.map(([status]) => status))].toSorted(), [201, 503]);
  const rows = await db.owner<{ name: string }>('select name from public.accounts');
  const stored = new Set(rows.map(({ name }) => name));
  const lost = members.flatMap(({ acknowledged }) => acknowledged).filter((name) => !stored.has(name));
  assert.deepEqual(lost, []);
});

/** Signs up a member who adds accounts with different names, and counts the answers. */
async function createWriter(url: string) {
  const browser = new TestBrowser(url, url);
  const { userId, sessionId } = await browser.signUp();
  const acknowledged: string[] = [];
  const statuses = new Map<number, number>();
  let number = 0;
  return {
    acknowledged,
    statuses,
    async write(): Promise<void> {
      number += 1;
      const name = `${userId} ${number}`;
      const account = { name, currency: 'USD', balance: 1 };
      const { status } = await sendRequest(`${url}/api/accounts`, 'POST', account, {
        authorization: `Bearer ${await browser.recentToken(sessionId)}`,
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 201) acknowledged.push(name);
    },
  };
}
