import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createWorkerLookup } from './find-workers.ts';
import type { WithClient } from './replica.ts';

test('asks the coordinator once when a member is looked up several times', async () => {
  const asked: string[] = [];
  const findWorkers = createWorkerLookup(
    createCoordinator((idpId) => {
      asked.push(idpId);
      return ['b', 'a', 'b'];
    }),
  );
  const results = [...(await Promise.all([findWorkers('one'), findWorkers('one')])), await findWorkers('one')];
  await findWorkers('two');
  assert.deepEqual(results, [
    ['b', 'a'],
    ['b', 'a'],
    ['b', 'a'],
  ]);
  assert.deepEqual(asked, ['one', 'two']);
});

test('returns no worker and asks again when the coordinator did not respond', async () => {
  let isUp = false;
  const findWorkers = createWorkerLookup(
    createCoordinator(() => {
      if (!isUp) throw new Error('connection refused');
      return ['a'];
    }),
  );
  assert.deepEqual(await findWorkers('one'), []);
  isUp = true;
  assert.deepEqual(await findWorkers('one'), ['a']);
});

test('forgets the oldest members when more than 10,000 are looked up', async () => {
  const asked: string[] = [];
  const findWorkers = createWorkerLookup(
    createCoordinator((idpId) => {
      asked.push(idpId);
      return ['a'];
    }),
  );
  for (let member = 0; member <= 10_000; member += 1) await findWorkers(`member_${member}`);
  asked.length = 0;
  for (const member of ['member_10000', 'member_1', 'member_0']) await findWorkers(member);
  assert.deepEqual(asked, ['member_0']);
});

/** Creates a coordinator that answers each look-up with the names of workers that `list` returns. */
const createCoordinator =
  (list: (idpId: string) => readonly string[]): WithClient =>
  async (work) => {
    const query = async ({ values }: { values: readonly [string] }) => ({
      rows: list(values[0]).map((name) => ({ name })),
    });
    return await work({ query } as never);
  };
