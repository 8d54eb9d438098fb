import { useState } from 'react';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import { operatorApi } from './operator-api.ts';
import { FlagsSection, HealthSection, JobsSection, KeysSection, MembersSection } from './operator-sections.tsx';
import { useLoad } from './use-load.ts';

const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Shows `/operator` to the holder of OPERATOR_TOKEN. The session is a cookie that scripts cannot read. */
export default function OperatorPage() {
  // Any call tells whether there is a session.
  const session = useLoad(operatorApi.listFlags);
  const [isEnded, setEnded] = useState(false);
  const isSignedIn = session.data !== undefined && session.error === undefined && !isEnded;
  const needsToken = isEnded || isSignedOut(session.error);
  return (
    <div className="mx-auto grid max-w-settings grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-title font-semibold tracking-tight">Operator</h1>
        {isSignedIn && (
          <Button
            onClick={() => {
              void operatorApi.signOut().finally(() => setEnded(true));
            }}
          >
            Sign out
          </Button>
        )}
      </div>
      {isSignedIn && (
        <>
          <HealthSection />
          <JobsSection />
          <MembersSection />
          <KeysSection />
          <FlagsSection />
        </>
      )}
      {needsToken && (
        <TokenForm
          onDone={() => {
            setEnded(false);
            session.reload();
          }}
        />
      )}
      {!isSignedIn && !needsToken && session.error !== undefined && (
        <ErrorMessage error={session.error} retry={session.reload} />
      )}
      {!isSignedIn && !needsToken && session.error === undefined && <Skeleton lines={3} label="Loading" />}
    </div>
  );
}

function TokenForm({ onDone }: { onDone: () => void }) {
  const [token, setToken] = useState('');
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function signIn(): Promise<void> {
    const trimmed = token.trim();
    if (!/^[0-9a-f]{64}$/i.test(trimmed)) {
      setFailure(trimmed === '' ? 'Enter the token.' : 'The token has 64 hexadecimal characters.');
      return;
    }
    setPending(true);
    setFailure(undefined);
    try {
      await operatorApi.signIn(trimmed);
      onDone();
    } catch (error) {
      setFailure(isSignedOut(error) ? 'This token is not valid.' : (error as Error).message);
    } finally {
      setPending(false);
    }
  }

  return (
    <form
      noValidate
      aria-label="Sign in as operator"
      className="card grid max-w-prose gap-4 p-5 sm:p-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void signIn();
      }}
    >
      <TextField
        name="token"
        type="password"
        label="Operator’s token"
        hint="OPERATOR_TOKEN of this deployment. You are signed out after 15 minutes without use."
        autoComplete="current-password"
        error={failure ?? null}
        value={token}
        onChange={(event) => setToken(event.target.value)}
      />
      <Button type="submit" variant="primary" className="justify-self-start" pending={isPending}>
        Sign in
      </Button>
    </form>
  );
}
