import assert from 'node:assert/strict';
import { test } from 'vitest';
import { AppError } from '../errors.ts';
import { createFirstRunData } from './first-run-data.ts';

const accounts = { demoAccountIdpUserId: 'user_demo', sampleUserIdpUserId: 'user_sample', members: [] };

test('warns in one sentence when the provider is unavailable for the first lists', async () => {
  const warnings: string[] = [];
  const recordWarning = (_details: object, message: string): void => {
    warnings.push(message);
  };
  const data = createFirstRunData({
    sql: undefined as never,
    jobs: { add: async () => '1' },
    logger: { info: () => {}, warn: recordWarning as never },
    owners: [
      {
        name: 'owner',
        seedFromMarket: async () => {
          throw new AppError('UNAVAILABLE', { message: 'AAPL cannot be looked up right now.' });
        },
      },
    ],
    source: 'fmp',
  });
  await assert.rejects(data.tasks['seed-first-run']!(accounts), /AAPL cannot be looked up/);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /^market-data provider unavailable; .* Check its key if this continues\.$/);
});
