import { type FormEvent, useState } from 'react';
import type { IdentityResult, SignedIn, WaitingSignIn } from '../session/identity-client.ts';
import { prefetchRoute } from '../navigation/match-route.ts';
import { safePath } from '../navigation/safe-path.ts';
import type { FormProblem } from '../../kit/form-errors.tsx';
import { type Credentials, validateCredentials, readCredentials } from './credentials.ts';
import { toSignInProblems } from './sign-in-problems.ts';

export type CredentialsForm = ReturnType<typeof useCredentialsForm>;

/** Returns the state of a form of email and password, and its handlers. The form sends one request at a time. */
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
    // Load the next page's code during the request, so that no empty page appears.
    prefetchRoute(safePath(new URLSearchParams(window.location.search).get('next'), '/dashboard'));
    const result = await send(credentials);
    setPending(false);
    if (result.ok) return;
    if (result.waiting) setWaiting(result.waiting);
    else setProblems(await toSignInProblems(result.problems));
  }

  return {
    problems,
    pending,
    /** The email that was submitted. */
    email,
    /** The sign-in that waits for the second factor, or null. */
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
