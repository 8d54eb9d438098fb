// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { arbitraryRequest, mutate } from '../../../test/support/arbitrary-requests.ts';
import { seed } from '../../../test/support/long-tests.ts';
import { countBody } from './count-body.ts';

const REQUESTS = 100_000;
const BASES = 500;
/** Values that replace a field, each valid at some place. */
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e300,
  '',
  ' ',
  'x',
  'srvtoolu_1',
  'iVBORw0KGgo=',
  [],
  {},
  [null],
  [{}],
  [{ type: 'text', text: '' }],
  { type: 'ephemeral', ttl: '1h' },
  { type: 'base64', media_type: 'image/png', data: '' },
  { type: 'file', file_id: 'f' },
  { type: 'enabled', budget_tokens: 2048 },
  { type: 'tool', name: 'x' },
  { type: 'object', properties: { a: 1 } },
];

/** Returns a function that returns pseudo-random integers of 31 bits. */
function createChooser(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state >>> 8;
  };
}

function isCounted(body: unknown): boolean {
  const outcome = countBody(Buffer.from(JSON.stringify(body)), '2023-06-01');
  return 'status' in outcome && outcome.status === 200;
}

test(`returns a documented outcome when ${REQUESTS} requests are mutated`, () => {
  const bases = fc.sample(arbitraryRequest, { numRuns: BASES, seed });
  const valid = bases.filter(isCounted);
  const choose = createChooser(seed);
  const outcomes = new Map<string, number>();
  for (let sent = 0; sent < REQUESTS; sent += 1) {
    const list = choose() % 2 === 0 ? valid : bases;
    let body: unknown = list[choose() % list.length];
    for (let changes = choose() % 3; changes >= 0; changes -= 1)
      body = mutate(body, choose, VALUES[choose() % VALUES.length]);
    const bytes = Buffer.from(JSON.stringify(body));
    // One body in ten has a damaged byte.
    if (choose() % 10 === 0) bytes[choose() % bytes.length] = choose() % 256;
    const outcome = countBody(bytes, choose() % 2 === 0 ? '2023-06-01' : '2026-10-21');
    const status = 'needs' in outcome ? outcome.needs : String(outcome.status);
    assert.match(status, /^(?:200|400|404|pdfs|urls)$/, bytes.toString());
    outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
  }
  console.log(JSON.stringify(Object.fromEntries(outcomes)));
  assert.ok(outcomes.get('200')! > REQUESTS / 100 && outcomes.get('400')! > REQUESTS / 4);
});
