import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { contentBlock, countTokensRequest } from './contract.ts';
import { arbitraryRequest, mutate } from '../../../../test/support/arbitrary-requests.ts';
import { runsLongTests } from '../../../../test/support/long-tests.ts';
import { formatProblem } from './problem.ts';
import { checkRequestShape } from './request-shape.ts';

/** Asserts that the schemas and the compiled checks make one decision. A difference shows the body and both reasons. */
function assertSameDecision(body: unknown): boolean {
  const byChecks = checkRequestShape(body);
  const byContract = countTokensRequest.safeParse(body);
  const reasons =
    `${byChecks ? formatProblem(byChecks) : 'accepted'} | ` +
    `${byContract.success ? 'accepted' : JSON.stringify(byContract.error.issues.slice(0, 2))}`;
  assert.equal(byChecks === undefined, byContract.success, `${reasons}\n${JSON.stringify(body)}`);
  return byContract.success;
}

test('accepts valid requests in both implementations', () => {
  fc.assert(
    fc.property(arbitraryRequest, (body) => assertSameDecision(body)),
    { numRuns: 500 },
  );
});

test('decides alike when one thing in a request is changed', () => {
  let rejectedCount = 0;
  const numRuns = runsLongTests ? 3_000 : 1_000;
  fc.assert(
    fc.property(
      arbitraryRequest,
      fc.infiniteStream(fc.nat()),
      fc.jsonValue({ maxDepth: 1 }),
      (body, choices, value) => {
        if (!assertSameDecision(mutate(body, () => choices.next().value as number, value))) rejectedCount += 1;
      },
    ),
    { numRuns },
  );
  assert.ok(
    rejectedCount > numRuns / 6,
    `only ${rejectedCount} of ${numRuns} were rejected: the mutations are too small`,
  );
});

test('decides alike for any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      assertSameDecision(body);
    }),
    { numRuns: 500 },
  );
});

test('has a check for every block type of the contract and vice versa', () => {
  const knownTypes = contentBlock.options.map((option) => option.shape.type.value);
  const message = formatProblem(
    checkRequestShape({ model: 'm', messages: [{ role: 'user', content: [{ type: 'none' }] }] })!,
  );
  const tags = [.../expected tags: (.*)$/.exec(message)![1]!.matchAll(/'(\w+)'/g)].map((match) => match[1]!);
  assert.deepEqual(tags, knownTypes.sort());
});
