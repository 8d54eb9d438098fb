import type { IdentityProblem } from '../session/identity-client.ts';
import type { FormProblem } from '../../kit/form-errors.tsx';

/** Messages for the provider's error codes. Other codes show the provider's own message. */
const messageByCode: Readonly<Record<string, string>> = {
  form_identifier_exists: 'An account with this email already exists. Sign in instead.',
  form_password_or_identifier_incorrect: 'Email or password is incorrect.',
  form_identifier_not_found: 'Email or password is incorrect.',
  form_password_incorrect: 'Email or password is incorrect.',
  form_password_length_too_short: 'The password needs at least 8 characters.',
  form_password_length_too_long: 'The password may have at most 255 characters.',
  form_password_pwned: 'This password is too common. Choose another one.',
  too_many_requests: 'Too many attempts. Wait a minute, then try again.',
};

const fieldByParam: Readonly<Record<string, string>> = {
  email_address: 'email',
  identifier: 'email',
  password: 'password',
};

/** Problem of an email address, also where it is found without a request. */
export const INVALID_EMAIL = 'Enter an email address such as anna@example.com.';

/** Problem of a form when the provider's response cannot be read. */
export const UNREADABLE_RESPONSE: readonly FormProblem[] = [
  { field: null, message: 'That did not work. Try again in a minute.' },
];

/** Codes that concern email and password together. Naming one field would reveal too much. */
const wholeFormCodes = new Set([
  'form_password_or_identifier_incorrect',
  'form_identifier_not_found',
  'form_password_incorrect',
]);

/** Returns the message of a problem without the name of the provider's parameter, which no screen shows. */
function formatMessage({ code, message, field }: IdentityProblem): string {
  if (code === 'form_param_format_invalid' && field !== null && fieldByParam[field] === 'email') return INVALID_EMAIL;
  return messageByCode[code] ?? message.replace(/^[a-z]+(?:_[a-z]+)+(?= )/, 'This');
}

/** Converts the provider's errors to problems of the form. */
export function toFormProblems(problems: readonly IdentityProblem[]): FormProblem[] {
  return problems.map((problem) => ({
    field: problem.field === null || wholeFormCodes.has(problem.code) ? null : (fieldByParam[problem.field] ?? null),
    message: formatMessage(problem),
  }));
}
