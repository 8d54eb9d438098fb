import { useEffect, useState } from 'react';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import { useStore } from '../../../ui/kit/use-store.ts';
import NotFoundPage from '../../../ui/shell/errors/not-found-page.tsx';
import { FlagsSection } from './flags-section.tsx';
import { operatorApi } from './operator-api.ts';
import { HealthSection, JobsSection, KeysSection, MembersSection } from './operator-sections.tsx';
import { forgetSession, markSignedIn, markSignedOut, operatorSession } from './operator-session.ts';
import { AssistantSection, MarketDataSection } from './usage-sections.tsx';

const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Learns from any call whether there is a session. Reports another failure than its absence. */
async function findSession(report: (error: unknown) => void): Promise<void> {
  try {
    await operatorApi.listFlags();
    markSignedIn();
    report(undefined);
  } catch (error) {
    report(isSignedOut(error) ? undefined : error);
  }
}

/** Shows `/operator` to the holder of OPERATOR_TOKEN. The session is a cookie that scripts cannot read. */
export default function OperatorPage() {
  const { status } = useStore(operatorSession);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    void findSession(setError);
    return forgetSession;
  }, []);
  const isSignedIn = status === 'in';
  // Without OPERATOR_TOKEN the deployment has no such page.
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />;
  return (
    <div className="mx-auto grid max-w-settings grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-title font-semibold tracking-tight">Operator</h1>
        {isSignedIn && (
          <Button
            onClick={() => {
              void operatorApi.signOut().finally(markSignedOut);
            }}
          >
            Sign out
          </Button>
        )}
      </div>
      {(status === 'out' || status === 'ended') && error === undefined && <TokenForm isRenewal={status === 'ended'} />}
      {/* What was typed outlives an ended session. What was loaded does not. */}
      {(isSignedIn || status === 'ended') && (
        <div hidden={!isSignedIn} className={isSignedIn ? 'grid grid-cols-[minmax(0,1fr)] gap-5' : undefined}>
          <HealthSection />
          <JobsSection />
          <MembersSection />
          <KeysSection />
          <FlagsSection />
          <MarketDataSection />
          <AssistantSection />
        </div>
      )}
      {error !== undefined && (
        <ErrorMessage
          error={error}
          retry={() => {
            void findSession(setError);
          }}
        />
      )}
      {status === 'unknown' && error === undefined && <Skeleton lines={3} label="Loading" />}
    </div>
  );
}

function TokenForm({ isRenewal }: { isRenewal: boolean }) {
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
      markSignedIn();
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
      {isRenewal && <p role="status">You were signed out. Sign in to continue; what you searched for is kept.</p>}
      <TextField
        // The field replaces what had the focus.
        autoFocus={isRenewal}
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
