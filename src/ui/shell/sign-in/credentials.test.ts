import assert from 'node:assert/strict';
import { test } from 'vitest';
import { missingIn } from './credentials.ts';

const fieldsOf = (email: string, password: string, purpose: 'sign-up' | 'sign-in') =>
  missingIn({ email, password }, purpose).map(({ field }) => field);

test('an empty form names both fields', () => {
  assert.deepEqual(fieldsOf('', '', 'sign-in'), ['email', 'password']);
});

test('an address needs a name, an @ and a domain', () => {
  for (const email of ['ada', 'ada@', '@b.c', 'a b@c.d', 'a@b@c'])
    assert.deepEqual(fieldsOf(email, 'long enough', 'sign-in'), ['email'], email);
  assert.deepEqual(fieldsOf('ada+tag@例え.jp', 'long enough', 'sign-in'), []);
});

test('a short password is told at sign-up only, counted in characters', () => {
  assert.deepEqual(fieldsOf('a@b.c', '1234567', 'sign-up'), ['password']);
  assert.deepEqual(fieldsOf('a@b.c', '1234567', 'sign-in'), []);
  assert.deepEqual(fieldsOf('a@b.c', '🐢'.repeat(7), 'sign-up'), ['password']);
  assert.deepEqual(fieldsOf('a@b.c', '🐢'.repeat(8), 'sign-up'), []);
});
