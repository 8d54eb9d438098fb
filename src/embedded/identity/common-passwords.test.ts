import assert from 'node:assert/strict';
import { test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';
import { hashPassword, OPERATOR } from './passwords.ts';

test('recognizes only common passwords, whatever their letter case or Unicode form', () => {
  for (const common of ['password', '12345678', 'PassWord', 'qwertyuiop', 'iloveyou', 'trustno1', '1qaz2wsx'])
    assert.ok(isCommonPassword(common), common);
  const others = Array.from({ length: 20_000 }, (_, index) => `a sentence of my own ${index}`);
  assert.deepEqual(others.filter(isCommonPassword), []);
  assert.equal(isCommonPassword('\uff50assword'), true, 'in full-width letters');
});

test('rejects passwords that are short or common unless the check is off', async () => {
  await assert.rejects(hashPassword('password1', OPERATOR), { status: 422, code: 'form_password_pwned' });
  await assert.rejects(hashPassword('short', OPERATOR), { code: 'form_password_length_too_short' });
  assert.match(await hashPassword('password1', OPERATOR, { checksStrength: false }), /^\$argon2id/);
});
