import assert from 'node:assert/strict';
import { test } from 'vitest';
import { describeRefresh, describeTooSoon } from './refresh-messages.ts';

test('has its own sentence for each result of a refresh', () => {
  const connection = { institution: 'First Platypus Bank' };
  const texts = (['updated', 'incomplete', 'pending', 'sign_in_needed'] as const).map((status) =>
    describeRefresh({ status, connection }),
  );
  assert.deepEqual(texts, [
    'First Platypus Bank is up to date.',
    'First Platypus Bank did not return all figures. The last ones are kept.',
    'First Platypus Bank is slow to answer. Its figures appear here when they arrive.',
    'First Platypus Bank needs you to sign in again. Its last figures are kept.',
  ]);
});

test('says when a connection can be refreshed again', () => {
  const start = 'Bank was refreshed less than a minute ago. You can refresh it again ';
  assert.deepEqual(
    [59, 1, null].map((seconds) => describeTooSoon('Bank', seconds)),
    [`${start}in 59 seconds.`, `${start}in 1 second.`, `${start}in a minute.`],
  );
});
