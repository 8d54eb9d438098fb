import { getFieldText } from '../../kit/field-text.ts';
import type { FormProblem } from '../../kit/form-errors.tsx';
import { INVALID_EMAIL } from './problem-text.ts';

export interface Credentials {
  email: string;
  password: string;
}

/** Reads the form. Removes the spaces that phones add to an email address. */
export function readCredentials(form: HTMLFormElement): Credentials {
  const data = new FormData(form);
  return { email: getFieldText(data, 'email').trim(), password: getFieldText(data, 'password') };
}

/** Returns the problem of an email address that can be found without a request. */
export function validateEmail(email: string): FormProblem[] {
  if (email === '') return [{ field: 'email', message: 'Enter your email address.' }];
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return [];
  return [{ field: 'email', message: INVALID_EMAIL }];
}

/** Returns the problems that can be found without a request. The provider decides everything else. */
export function validateCredentials({ email, password }: Credentials, purpose: 'sign-up' | 'sign-in'): FormProblem[] {
  const problems = validateEmail(email);
  if (password === '') problems.push({ field: 'password', message: 'Enter a password.' });
  else if (purpose === 'sign-up' && [...password].length < 8)
    problems.push({ field: 'password', message: 'The password needs at least 8 characters.' });
  return problems;
}
