import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { navigate, useLocation } from '../../../ui/shell/navigation/location.ts';
import { privacyMode } from '../../../ui/shell/session/privacy-mode.ts';
import { Queries } from '../../../ui/shell/api/queries.tsx';
import { useStore } from '../../../ui/kit/use-store.ts';
import { Button, getButtonClass } from '../../../ui/kit/button.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Icon } from '../../../ui/kit/icon.tsx';
import { LazyComponent } from '../../../ui/shell/loading/lazy-component.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import type { FinishedConnection } from '../contract.ts';
import { makeOnce } from '../../../ui/kit/make-once.ts';
import { AccountLine } from './account-line.tsx';
import { lazyConnectDialog } from './lazy-connect-dialog.ts';
import { DuplicateNotice } from './duplicate-notice.tsx';
import { parseRedirectQuery } from './parse-redirect-query.ts';
import { describeAttempt, MAX_POLLS, getPollDelay, type AttemptMessage } from './attempt-messages.ts';

/** Removes the query from the address before the page renders and could leak it. The query stays in memory. */
export const start = makeOnce((): URL => {
  const address = new URL(window.location.href);
  if (address.search + address.hash !== '' && address.pathname.startsWith('/connections/return'))
    navigate(address.pathname, { replace: true });
  return address;
});

/** Returns the query that was removed from this page's address. */
function getRemovedQuery(page: string): URLSearchParams {
  const { pathname, search } = start();
  return new URLSearchParams(page === pathname ? search : '');
}

/** Shows `/connections/return/<attempt>`, to which an aggregator's page redirects in every case. */
export default function ReturnPage() {
  const attempt = useLocation().path.split('/')[3];
  return (
    <div className="mx-auto max-w-settings">
      <Queries>{attempt === undefined ? <AttemptNotFound /> : <AttemptProgress attempt={attempt} />}</Queries>
    </div>
  );
}

function AttemptProgress({ attempt }: { attempt: string }) {
  const queries = useQueryClient();
  const [pollCount, setPollCount] = useState(0);
  const { data, error, fetchStatus, isFetching, refetch } = useQuery({
    queryKey: ['attempt', attempt],
    queryFn: async ({ signal }) => {
      setPollCount((count) => count + 1);
      const redirectQuery = parseRedirectQuery(getRemovedQuery(window.location.pathname));
      const body = { attempt_id: attempt, ...(redirectQuery && { returned: redirectQuery }) };
      return callApi('POST /api/connections/finish', { body, signal });
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => state.data?.status === 'pending' && getPollDelay(pollCount),
  });
  const isConnected = data?.status === 'connected';
  useEffect(() => {
    // Data that was read before the connection existed is stale: cards, accounts, holdings.
    if (isConnected) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'attempt' });
  }, [isConnected, queries]);
  const retry = (): void => {
    void refetch();
  };
  if (error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'INVALID_REQUEST'))
    return <AttemptNotFound />;
  if (error)
    return (
      <StatusSection title="We could not check the result yet">
        <p className="text-ink-soft">Your progress at your institution is kept. You can leave this page.</p>
        <ErrorMessage error={error} retry={retry} />
        <DashboardLink variant="plain" />
      </StatusSection>
    );
  if (fetchStatus === 'paused')
    return (
      <StatusSection title="You are offline" isWaiting>
        <p className="text-ink-soft">
          Your progress at your institution is kept. This page continues when you are back online.
        </p>
      </StatusSection>
    );
  const finished: FinishedConnection = data ?? { status: 'pending' };
  return (
    <AttemptOutcome
      finished={finished}
      message={describeAttempt(finished, pollCount >= MAX_POLLS && !isFetching)}
      pending={isFetching}
      onRefresh={retry}
    />
  );
}

interface AttemptOutcomeProps {
  finished: FinishedConnection;
  message: AttemptMessage;
  pending: boolean;
  onRefresh: () => void;
}

function AttemptOutcome({ finished: { status, connection }, message, pending, onRefresh }: AttemptOutcomeProps) {
  const [open, setOpen] = useState(false);
  const privacy = useStore(privacyMode);
  const { title, text, next } = message;
  const close = (): void => setOpen(false);
  const hasConnection = status === 'connected' || status === 'duplicate';
  return (
    <StatusSection key={title} title={title} isWaiting={next === 'wait'} isSuccess={status === 'connected'}>
      <p className="text-ink-soft">{text}</p>
      {hasConnection && connection && (
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
          <Button variant="primary" onFocus={lazyConnectDialog.preload} onClick={() => setOpen(true)}>
            Add accounts
          </Button>
        )}
        {(next === 'retry' || next === 'repair') && (
          <Button variant="primary" onFocus={lazyConnectDialog.preload} onClick={() => setOpen(true)}>
            {next === 'repair' || connection ? 'Sign in again' : 'Try again'}
          </Button>
        )}
        {next === 'wait' && (
          <Button pending={pending} onClick={onRefresh}>
            Check again
          </Button>
        )}
        <DashboardLink variant={next === 'dashboard' ? 'primary' : 'plain'} />
        {(next === 'dashboard' || next === 'accounts') && (
          <Link href="/settings/connections" className={getButtonClass('quiet')}>
            See your connections
          </Link>
        )}
      </div>
      {open && (
        <LazyComponent
          component={lazyConnectDialog}
          props={{ repair: connection, isAddingAccounts: next === 'accounts', onClose: close }}
          onClose={close}
        />
      )}
    </StatusSection>
  );
}

const AttemptNotFound = () => (
  <StatusSection title="Link not valid">
    <p className="text-ink-soft">
      This link does not belong to a connection that you started in this account. If you started it in another account,
      sign in there and open the link again.
    </p>
    <div className="flex flex-wrap gap-2">
      <DashboardLink variant="primary" />
      <Link href="/settings/connections" className={getButtonClass('plain')}>
        See your connections
      </Link>
    </div>
  </StatusSection>
);

const DashboardLink = ({ variant }: { variant: 'primary' | 'plain' }) => (
  <Link href="/dashboard" className={getButtonClass(variant, 'justify-self-start')}>
    Go to Home
  </Link>
);

interface StatusSectionProps {
  title: string;
  /** The footer stays hidden while the content above it may grow. */
  isWaiting?: boolean;
  isSuccess?: boolean;
  children: ReactNode;
}

/** Shows one state of the page and announces it to screen readers. */
const StatusSection = ({ title, isWaiting = false, isSuccess = false, children }: StatusSectionProps) => (
  <section role="status" data-loading={isWaiting || undefined} className="card grid gap-4 p-5 sm:p-6">
    <h1 className="flex items-center gap-2 text-title font-semibold tracking-tight">
      {isSuccess && (
        <span className="text-gain">
          <Icon name="check" size={20} />
        </span>
      )}
      {isWaiting && (
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
