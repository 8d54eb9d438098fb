import type { FormProblem } from '../../kit/form-errors.tsx';
import type { IdentityProblem } from '../session/identity-client.ts';
import { session } from '../session/session.ts';
import { toFormProblems } from './problem-text.ts';

/** Returns the problems of a failed sign-in, or none if another tab has signed in, whose session is then used. */
export async function toSignInProblems(problems: readonly IdentityProblem[]): Promise<readonly FormProblem[]> {
  if (!problems.some(({ code }) => code === 'session_exists')) return toFormProblems(problems);
  await session.start();
  return [];
}
