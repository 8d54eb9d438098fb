import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { contentBlock, countTokensRequest } from './contract.ts';
import { arbitraryRequest, mutate } from '../../../../test/support/arbitrary-requests.ts';
import { everything } from '../../../../test/support/long-tests.ts';
import { inWords } from './problem.ts';
import { findShapeProblem } from './validate-request.ts';

/** The contract's own schemas and the checks compiled from them must accept and refuse alike; a difference shows the
 * body and both reasons. */
function assertAlike(body: unknown): boolean {
  const byChecks = findShapeProblem(body);
  const byContract = countTokensRequest.safeParse(body);
  const reasons =
    `${byChecks ? inWords(byChecks) : 'accepted'} | ` +
    `${byContract.success ? 'accepted' : JSON.stringify(byContract.error.issues.slice(0, 2))}`;
  assert.equal(byChecks === undefined, byContract.success, `${reasons}\n${JSON.stringify(body)}`);
  return byContract.success;
}

test('right requests are accepted by both', () => {
  fc.assert(
    fc.property(arbitraryRequest, (body) => assertAlike(body)),
    { numRuns: 500 },
  );
});

test('requests with one thing changed are accepted or refused by both', () => {
  let refused = 0;
  const numRuns = everything ? 3_000 : 1_000;
  fc.assert(
    fc.property(
      arbitraryRequest,
      fc.infiniteStream(fc.nat()),
      fc.jsonValue({ maxDepth: 1 }),
      (body, choices, value) => {
        if (!assertAlike(mutate(body, () => choices.next().value as number, value))) refused += 1;
      },
    ),
    { numRuns },
  );
  assert.ok(refused > numRuns / 6, `only ${refused} of ${numRuns} were refused: the mutations are too tame`);
});

test('any JSON at all is accepted or refused by both', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => void assertAlike(body)),
    { numRuns: 500 },
  );
});

test('every block type of the contract has a check, and the other way round', () => {
  const known = contentBlock.options.map((option) => option.shape.type.value);
  const message = inWords(findShapeProblem({ model: 'm', messages: [{ role: 'user', content: [{ type: 'none' }] }] })!);
  const tags = [.../expected tags: (.*)$/.exec(message)![1]!.matchAll(/'(\w+)'/g)].map((match) => match[1]!);
  assert.deepEqual(tags, known.sort());
});
