import { type FormEvent, useState } from 'react';
import type { IdentityResult, SignedIn } from '../session/identity-client.ts';
import { prefetchRoute } from '../navigation/match-route.ts';
import { safePath } from '../navigation/safe-path.ts';
import { session } from '../session/session.ts';
import type { FormProblem } from '../../kit/form-errors.tsx';
import { type Credentials, validateCredentials, readCredentials } from './credentials.ts';
import { toFormProblems } from './problem-text.ts';

export type CredentialsForm = ReturnType<typeof useCredentialsForm>;

/** Submits a form of email and password, one request at a time. The form keeps its input after every response. */
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
    // The next page's code loads during the request, so that no empty page appears.
    prefetchRoute(safePath(new URLSearchParams(window.location.search).get('next'), '/dashboard'));
    const result = await send(credentials);
    setPending(false);
    if (result.ok) return;
    // Another tab has signed in. Its session is used.
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
