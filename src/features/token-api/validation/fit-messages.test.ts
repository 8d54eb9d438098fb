/** Checks that the library shortens a valid request to a valid one. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { countInputTokens, fitMessages } from '../../../../packages/token-counter/src/index.ts';
import { createConversations } from '../../../../packages/token-counter/test/conversations.ts';
import { seed } from '../../../../test/support/long-tests.ts';
import { validateRequest } from './validate-request.ts';

const system = 'Be brief.';
const tools = [{ name: 'look_up', input_schema: { type: 'object' } }];

test.each([
  ['claude-sonnet-4-5', false],
  ['claude-opus-5', true],
])('stays valid when messages to %s are dropped', (model, hasSystemTurns) => {
  console.log(`seed ${seed}`);
  let shortened = 0;
  fc.assert(
    fc.property(
      createConversations(hasSystemTurns, 8),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (messages, share) => {
        const request = { model, system, tools, messages };
        assert.equal(validateRequest(request, '2023-06-01'), undefined);
        const maxTokens = Math.round(countInputTokens(request) * share);
        const fitted = fitMessages(request, { maxTokens });
        if (fitted.dropped.length > 0) shortened += 1;
        assert.equal(validateRequest(fitted.request, '2023-06-01'), undefined);
      },
    ),
    { seed, numRuns: 300 },
  );
  assert.ok(shortened > 50, `${shortened} requests were shortened`);
});
