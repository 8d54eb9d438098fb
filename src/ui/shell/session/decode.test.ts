import assert from 'node:assert/strict';
import { test } from 'vitest';
import { decodeAttemptResponse, decodeClientResponse, decodeErrorsResponse } from './identity-responses.ts';
import { fields, list, optional, decode, text } from './decode.ts';

test('rejects a wrong type at every depth and omits unknown fields', () => {
  const person = fields({ name: text, mails: list(fields({ at: text })), of: optional(text) });
  assert.deepEqual(person({ name: 'A', mails: [{ at: 'a@b', more: 1 }], other: 2 }), {
    name: 'A',
    mails: [{ at: 'a@b' }],
    of: null,
  });
  for (const other of [null, undefined, 'A', 7, [], {}, { name: 'A' }, { name: 'A', mails: {} }])
    assert.equal(decode(person, other), undefined);
  assert.equal(decode(person, { name: 'A', mails: [{ at: 1 }] }), undefined);
  assert.equal(decode(person, { name: 'A', mails: [], of: 3 }), undefined);
});

test('rejects a response without a client instead of treating it as signed out', () => {
  assert.deepEqual(decode(decodeClientResponse, { response: null }), { response: null });
  for (const response of [{}, null, { error: 'captive portal' }])
    assert.equal(decode(decodeClientResponse, response), undefined);
});

test('decodes an attempt and an error without their optional fields', () => {
  assert.deepEqual(decode(decodeAttemptResponse, { response: { status: 'complete' } }), {
    response: { id: null, status: 'complete', supported_second_factors: null, created_session_id: null },
    client: null,
  });
  assert.deepEqual(decode(decodeErrorsResponse, { errors: [{ code: 'c', message: 'm' }] }), {
    errors: [{ code: 'c', message: 'm', long_message: null, meta: null }],
  });
});
