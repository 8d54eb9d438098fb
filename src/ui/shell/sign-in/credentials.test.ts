import assert from 'node:assert/strict';
import { test } from 'vitest';
import { validateCredentials } from './credentials.ts';

const listProblemFields = (email: string, password: string, purpose: 'sign-up' | 'sign-in') =>
  validateCredentials({ email, password }, purpose).map(({ field }) => field);

test('reports both fields of an empty form', () => {
  assert.deepEqual(listProblemFields('', '', 'sign-in'), ['email', 'password']);
});

test('requires a name, an @ and a domain in an email address', () => {
  for (const email of ['ada', 'ada@', '@b.c', 'a b@c.d', 'a@b@c'])
    assert.deepEqual(listProblemFields(email, 'long enough', 'sign-in'), ['email'], email);
  assert.deepEqual(listProblemFields('ada+tag@例え.jp', 'long enough', 'sign-in'), []);
});

test('rejects a short password only at sign-up, counted in characters', () => {
  assert.deepEqual(listProblemFields('a@b.c', '1234567', 'sign-up'), ['password']);
  assert.deepEqual(listProblemFields('a@b.c', '1234567', 'sign-in'), []);
  assert.deepEqual(listProblemFields('a@b.c', '🐢'.repeat(7), 'sign-up'), ['password']);
  assert.deepEqual(listProblemFields('a@b.c', '🐢'.repeat(8), 'sign-up'), []);
});
