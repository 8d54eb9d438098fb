import { type FormEvent, useState } from 'react';
import type { IdentityResult, SignedIn, WaitingSignIn } from '../session/identity-client.ts';
import { prefetchRoute } from '../navigation/match-route.ts';
import { safePath } from '../navigation/safe-path.ts';
import { session } from '../session/session.ts';
import type { FormProblem } from '../../kit/form-errors.tsx';
import { type Credentials, validateCredentials, readCredentials } from './credentials.ts';
import { toFormProblems } from './problem-text.ts';

export type CredentialsForm = ReturnType<typeof useCredentialsForm>;

/**
 * Submits a form of email and password, one request at a time. The form keeps its input after every response. `waiting`
 * is the sign-in that waits for the second factor, or null.
 */
export function useCredentialsForm(
  purpose: 'sign-up' | 'sign-in',
  send: (credentials: Credentials) => Promise<IdentityResult<SignedIn>>,
) {
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [pending, setPending] = useState(false);
  const [email, setEmail] = useState('');
  const [waiting, setWaiting] = useState<WaitingSignIn | null>(null);

  async function submit(credentials: Credentials): Promise<void> {
    const inputProblems = validateCredentials(credentials, purpose);
    setProblems(inputProblems);
    if (inputProblems.length > 0) return;
    setPending(true);
    setEmail(credentials.email);
    // The next page's code loads during the request, so that no empty page appears.
    prefetchRoute(safePath(new URLSearchParams(window.location.search).get('next'), '/dashboard'));
    const result = await send(credentials);
    setPending(false);
    if (result.ok) return;
    if (result.waiting) return setWaiting(result.waiting);
    // Another tab has signed in. Its session is used.
    if (result.problems.some(({ code }) => code === 'session_exists')) await session.start();
    else setProblems(toFormProblems(result.problems));
  }

  return {
    problems,
    pending,
    /** The email that was submitted. */
    email,
    waiting,
    /** Shows the form of email and password again. */
    startOver(reasons: readonly FormProblem[]): void {
      setWaiting(null);
      setProblems(reasons);
    },
    onSubmit(event: FormEvent<HTMLFormElement>): void {
      event.preventDefault();
      if (!pending) void submit(readCredentials(event.currentTarget));
    },
  };
}
