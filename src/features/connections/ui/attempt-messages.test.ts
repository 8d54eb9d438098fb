import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { Connection, FinishedConnection } from '../contract.ts';
import { describeAttempt, MAX_POLLS, getPollDelay } from './attempt-messages.ts';

const connection: Connection = {
  id: '0199a7c2-7b31-7e02-a4c5-1d2e3f4a5b6c',
  kind: 'bank',
  institution: 'First Platypus Bank',
  status: 'active',
  accounts: [],
  connected_at: '2025-11-03T14:30:00.000Z',
  synced_at: null,
};

test('describes each result of an attempt with the next action', () => {
  const getTitleAndNext = (finished: FinishedConnection) => {
    const { title, next } = describeAttempt(finished, false);
    return [title, next];
  };
  assert.deepEqual(getTitleAndNext({ status: 'connected', connection }), [
    'First Platypus Bank is connected',
    'dashboard',
  ]);
  assert.deepEqual(getTitleAndNext({ status: 'duplicate', connection }), [
    'First Platypus Bank is already connected',
    'accounts',
  ]);
  assert.deepEqual(getTitleAndNext({ status: 'connected', connection, code: 'ACCOUNTS_ADDED' }), [
    'Accounts added at First Platypus Bank',
    'dashboard',
  ]);
  assert.deepEqual(getTitleAndNext({ status: 'connected', connection, code: 'ACCOUNTS_LEFT_OUT' })[1], 'accounts');
  assert.deepEqual(getTitleAndNext({ status: 'duplicate', connection, code: 'REPAIR_NEEDED' })[1], 'repair');
  assert.deepEqual(getTitleAndNext({ status: 'pending' }), ['Waiting for your institution', 'wait']);
  assert.deepEqual(getTitleAndNext({ status: 'abandoned', code: 'EXITED' }), [
    'You did not finish connecting',
    'retry',
  ]);
  assert.deepEqual(getTitleAndNext({ status: 'abandoned', code: 'EXPIRED' }), ['The link has expired', 'retry']);
  assert.deepEqual(getTitleAndNext({ status: 'failed', code: 'NO_ACCOUNTS' }), ['No accounts to connect', 'retry']);
  assert.equal(describeAttempt({ status: 'pending' }, true).title, 'This takes longer than usual');
});

test('quotes an unknown code only when it has the format of a code', () => {
  const getText = (code: string): string => describeAttempt({ status: 'failed', code }, false).text;
  assert.match(getText('INSTITUTION_NO_LONGER_SUPPORTED'), /returned INSTITUTION_NO_LONGER_SUPPORTED\./);
  for (const code of ['<b>call 555 0100</b>', 'token=access-sandbox-1', 'x', '', 'A'.repeat(61)])
    assert.equal(getText(code), 'Try again later. Nothing was connected or stored.', code);
  assert.equal(getText('toString').includes('toString'), false);
});

test('reports that a failed repair leaves the connection unchanged', () => {
  const { text } = describeAttempt({ status: 'abandoned', code: 'EXITED', connection }, false);
  assert.match(text, /First Platypus Bank is unchanged\.$/);
});

test('polls an attempt with growing delays up to a limit', () => {
  const delays = Array.from({ length: MAX_POLLS + 5 }, (_, pollCount) => getPollDelay(pollCount));
  const finiteDelays = delays.filter((delay) => delay !== false);
  assert.equal(finiteDelays.length, MAX_POLLS);
  assert.deepEqual(
    finiteDelays,
    finiteDelays.toSorted((a, b) => a - b),
  );
  const total = finiteDelays.reduce((sum, delay) => sum + delay, 0);
  assert.ok(total > 60_000 && total < 180_000, `${total} ms`);
});
