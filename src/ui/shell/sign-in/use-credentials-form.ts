import { type FormEvent, useState } from 'react';
import type { IdentityResult, SignedIn } from '../session/identity-client.ts';
import { prefetchRoute } from '../navigation/match-route.ts';
import { safePath } from '../navigation/safe-path.ts';
import { session } from '../session/session.ts';
import type { FormProblem } from '../../kit/form-errors.tsx';
import { type Credentials, validateCredentials, readCredentials } from './credentials.ts';
import { toFormProblems } from './problem-text.ts';

export type CredentialsForm = ReturnType<typeof useCredentialsForm>;

/** Sends a form of address and password, once at a time; what was typed stays in the form whatever comes back. */
export function useCredentialsForm(
  purpose: 'sign-up' | 'sign-in',
  send: (credentials: Credentials) => Promise<IdentityResult<SignedIn>>,
) {
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [pending, setPending] = useState(false);

  async function submit(credentials: Credentials): Promise<void> {
    const inputProblems = validateCredentials(credentials, purpose);
    setProblems(inputProblems);
    if (inputProblems.length > 0) return;
    setPending(true);
    // The next page's code travels with the request, so that nothing is empty in between.
    prefetchRoute(safePath(new URLSearchParams(window.location.search).get('next'), '/dashboard'));
    const result = await send(credentials);
    setPending(false);
    if (result.ok) return;
    // Signed in meanwhile, in another tab: that session is the answer.
    if (result.problems.some(({ code }) => code === 'session_exists')) await session.start();
    else setProblems(toFormProblems(result.problems));
  }

  return {
    problems,
    pending,
    onSubmit(event: FormEvent<HTMLFormElement>): void {
      event.preventDefault();
      if (!pending) void submit(readCredentials(event.currentTarget));
    },
  };
}
