import assert from 'node:assert/strict';
import { test } from 'vitest';
import { attemptAnswer, clientAnswer, errorsAnswer } from './identity-answers.ts';
import { fields, listOf, optional, readAs, text } from './shapes.ts';

test('a value of another kind is refused at every depth, and fields that nobody asked for are left out', () => {
  const person = fields({ name: text, mails: listOf(fields({ at: text })), of: optional(text) });
  assert.deepEqual(person({ name: 'A', mails: [{ at: 'a@b', more: 1 }], other: 2 }), {
    name: 'A',
    mails: [{ at: 'a@b' }],
    of: null,
  });
  for (const other of [null, undefined, 'A', 7, [], {}, { name: 'A' }, { name: 'A', mails: {} }])
    assert.equal(readAs(person, other), undefined);
  assert.equal(readAs(person, { name: 'A', mails: [{ at: 1 }] }), undefined);
  assert.equal(readAs(person, { name: 'A', mails: [], of: 3 }), undefined);
});

test('a client that is absent where the provider always names it is not taken for a visitor', () => {
  assert.deepEqual(readAs(clientAnswer, { response: null }), { response: null });
  for (const answer of [{}, null, { error: 'captive portal' }]) assert.equal(readAs(clientAnswer, answer), undefined);
});

test('an attempt and a refusal are read with what the provider may leave out', () => {
  assert.deepEqual(readAs(attemptAnswer, { response: { status: 'complete' } }), {
    response: { status: 'complete', created_session_id: null },
    client: null,
  });
  assert.deepEqual(readAs(errorsAnswer, { errors: [{ code: 'c', message: 'm' }] }), {
    errors: [{ code: 'c', message: 'm', long_message: null, meta: null }],
  });
});
