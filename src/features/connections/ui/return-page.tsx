import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { navigate, usePlace } from '../../../ui/shell/navigation/location.ts';
import { privacyMode } from '../../../ui/shell/session/privacy-mode.ts';
import { Queries } from '../../../ui/shell/api/queries.tsx';
import { useStore } from '../../../ui/kit/use-store.ts';
import { Button, buttonClass } from '../../../ui/kit/button.tsx';
import { Failure } from '../../../ui/kit/failure.tsx';
import { Icon } from '../../../ui/kit/icon.tsx';
import { LazyPart } from '../../../ui/shell/loading/lazy-part.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import type { FinishedConnection } from '../contract.ts';
import { makeOnce } from '../../../ui/kit/make-once.ts';
import { AccountLine } from './account-line.tsx';
import { connectPart } from './connect-part.ts';
import { DuplicateNotice } from './duplicate-notice.tsx';
import { readReturned } from './read-returned.ts';
import { describeOutcome, MOST_ASKS, nextAsk, type Outcome } from './outcome.ts';

/** Takes the query out of the address before the page is drawn and anything could send it on; keeps it in memory. */
export const start = makeOnce((): URL => {
  const address = new URL(window.location.href);
  if (address.search + address.hash !== '' && address.pathname.startsWith('/connections/return'))
    navigate(address.pathname, { replace: true });
  return address;
});

/** What was taken out of the address of this page. */
function takenQuery(page: string): URLSearchParams {
  const { pathname, search } = start();
  return new URLSearchParams(page === pathname ? search : '');
}

/** `/connections/return/<attempt>`: where an aggregator's page sends the browser, whatever came of it. */
export default function ReturnPage() {
  const attempt = usePlace().path.split('/')[3];
  return (
    <div className="mx-auto max-w-settings">
      <Queries>{attempt === undefined ? <NotYours /> : <Return attempt={attempt} />}</Queries>
    </div>
  );
}

function Return({ attempt }: { attempt: string }) {
  const queries = useQueryClient();
  const [asks, setAsks] = useState(0);
  const { data, error, fetchStatus, isFetching, refetch } = useQuery({
    queryKey: ['attempt', attempt],
    queryFn: async ({ signal }) => {
      setAsks((so) => so + 1);
      const returned = readReturned(takenQuery(window.location.pathname));
      const body = { attempt_id: attempt, ...(returned && { returned }) };
      return callApi('POST /api/connections/finish', { body, signal });
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => state.data?.status === 'pending' && nextAsk(asks),
  });
  const isConnected = data?.status === 'connected';
  useEffect(() => {
    // What was read before the connection stood is old: cards, accounts, what is held.
    if (isConnected) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'attempt' });
  }, [isConnected, queries]);
  const again = (): void => void refetch();
  if (error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'INVALID_REQUEST'))
    return <NotYours />;
  if (error)
    return (
      <Shown title="We cannot say yet what became of it">
        <p className="text-ink-soft">What you did at your institution is not lost. You may also leave this page.</p>
        <Failure error={error} retry={again} />
        <ToDashboard look="plain" />
      </Shown>
    );
  if (fetchStatus === 'paused')
    return (
      <Shown title="You are offline" waits>
        <p className="text-ink-soft">
          What you did at your institution is not lost. This page goes on by itself once you are online again.
        </p>
      </Shown>
    );
  const finished: FinishedConnection = data ?? { status: 'pending' };
  return (
    <Finished
      finished={finished}
      outcome={describeOutcome(finished, asks >= MOST_ASKS && !isFetching)}
      pending={isFetching}
      onAsk={again}
    />
  );
}

interface FinishedProps {
  finished: FinishedConnection;
  outcome: Outcome;
  pending: boolean;
  onAsk: () => void;
}

function Finished({ finished: { status, connection }, outcome, pending, onAsk }: FinishedProps) {
  const [open, setOpen] = useState(false);
  const privacy = useStore(privacyMode);
  const { title, text, next } = outcome;
  const close = (): void => setOpen(false);
  const isThere = status === 'connected' || status === 'duplicate';
  return (
    <Shown key={title} title={title} waits={next === 'wait'} isGood={status === 'connected'}>
      <p className="text-ink-soft">{text}</p>
      {isThere && connection && (
        <ul aria-label={`Accounts at ${connection.institution}`} className="divide-y divide-line border-y border-line">
          {connection.accounts.map((account) => (
            <li key={account.id} className="py-2">
              <AccountLine account={account} />
              <DuplicateNotice account={account} privacy={privacy} />
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {next === 'accounts' && (
          <Button look="primary" onFocus={connectPart.preload} onClick={() => setOpen(true)}>
            Add accounts
          </Button>
        )}
        {(next === 'again' || next === 'repair') && (
          <Button look="primary" onFocus={connectPart.preload} onClick={() => setOpen(true)}>
            {next === 'repair' || connection ? 'Sign in again' : 'Try again'}
          </Button>
        )}
        {next === 'wait' && (
          <Button pending={pending} onClick={onAsk}>
            Ask again
          </Button>
        )}
        <ToDashboard look={next === 'dashboard' ? 'primary' : 'plain'} />
        {(next === 'dashboard' || next === 'accounts') && (
          <Link href="/settings/connections" className={buttonClass('quiet')}>
            See your connections
          </Link>
        )}
      </div>
      {open && (
        <LazyPart
          part={connectPart}
          props={{ repair: connection, adds: next === 'accounts', onClose: close }}
          onClose={close}
        />
      )}
    </Shown>
  );
}

const NotYours = () => (
  <Shown title="There is nothing to finish here">
    <p className="text-ink-soft">
      This address belongs to no connection that you have begun in this account. If you began it in another one, sign in
      there and open the address again.
    </p>
    <div className="flex flex-wrap gap-2">
      <ToDashboard look="primary" />
      <Link href="/settings/connections" className={buttonClass('plain')}>
        See your connections
      </Link>
    </div>
  </Shown>
);

const ToDashboard = ({ look }: { look: 'primary' | 'plain' }) => (
  <Link href="/dashboard" className={buttonClass(look, 'justify-self-start')}>
    Go to the dashboard
  </Link>
);

interface ShownProps {
  title: string;
  /** The footer stays hidden as long as what stands above it may grow. */
  waits?: boolean;
  isGood?: boolean;
  children: ReactNode;
}

/** One state of the page, read aloud when it comes. */
const Shown = ({ title, waits = false, isGood = false, children }: ShownProps) => (
  <section role="status" data-waiting={waits || undefined} className="card grid gap-4 p-5 sm:p-6">
    <h1 className="flex items-center gap-2.5 text-title font-semibold tracking-tight">
      {isGood && (
        <span className="text-gain">
          <Icon name="check" size={20} />
        </span>
      )}
      {waits && (
        <span
          aria-hidden="true"
          className={
            'size-4 animate-spin rounded-full border-2 border-accent border-e-transparent ' +
            'motion-reduce:animate-none'
          }
        />
      )}
      {title}
    </h1>
    {children}
  </section>
);
