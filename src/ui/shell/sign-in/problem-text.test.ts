import assert from 'node:assert/strict';
import { test } from 'vitest';
import { toFormProblems } from './problem-text.ts';

test('shows a taken email address at its field', () => {
  const [problem] = toFormProblems([{ code: 'form_identifier_exists', message: 'taken', field: 'email_address' }]);
  assert.equal(problem?.field, 'email');
  assert.match(problem?.message ?? '', /already/);
});

test('shows one message for an unknown address and a wrong password', () => {
  const codes = ['form_password_or_identifier_incorrect', 'form_identifier_not_found', 'form_password_incorrect'];
  const messages = codes.map((code) => JSON.stringify(toFormProblems([{ code, message: code, field: 'password' }])));
  assert.equal(new Set(messages).size, 1);
});

test('shows the provider’s message for an unknown error', () => {
  assert.deepEqual(toFormProblems([{ code: 'captcha_invalid', message: 'Solve it again.', field: null }]), [
    { field: null, message: 'Solve it again.' },
  ]);
});
test('names no parameter of the provider when a value is invalid', () => {
  const code = 'form_param_format_invalid';
  const [email, name] = toFormProblems([
    { code, message: 'email_address must be a valid email address.', field: 'email_address' },
    { code, message: 'first_name must be text.', field: 'first_name' },
  ]);
  assert.deepEqual(email, { field: 'email', message: 'Enter an email address such as anna@example.com.' });
  assert.equal(name?.message, 'This must be text.');
});
