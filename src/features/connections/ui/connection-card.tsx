import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { formatAttention } from './shared/connection-messages.ts';
import { SyncAge } from './shared/sync-age.tsx';
import { connectionsQuery } from './shared/connections-query.ts';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { formatDay } from '../../../ui/kit/formats.ts';
import { lazyComponent, LazyComponent } from '../../../ui/shell/loading/lazy-component.tsx';
import { showToast } from '../../../ui/kit/toasts.ts';
import { showErrorToast } from '../../../ui/shell/session/show-error-toast.ts';
import { Badge } from '../../../ui/kit/badge.tsx';
import { Button } from '../../../ui/kit/button.tsx';
import { Card } from '../../../ui/kit/card.tsx';
import { Icon } from '../../../ui/kit/icon.tsx';
import type { Connection, ConnectionStatus } from '../contract.ts';
import { AccountLine } from './account-line.tsx';
import { DuplicateNotice } from './duplicate-notice.tsx';
import { LeftOutNotice } from './left-out-notice.tsx';
import { lazyConnectDialog } from './lazy-connect-dialog.ts';
import { useRefreshConnection } from './use-refresh-connection.ts';

const lazyRemoveDialog = lazyComponent('The removal dialog', () => import('./remove-dialog.tsx'));
const lazyRenameDialog = lazyComponent('The form to rename an account', () => import('./rename-dialog.tsx'));

type Account = Connection['accounts'][number];

interface ConnectionCardProps {
  connection: Connection;
  privacy: boolean;
  /** Shows what an account is worth. */
  renderAmounts: (account: Account) => ReactNode;
}

const statusLabels: Readonly<Record<ConnectionStatus, string>> = {
  active: 'Active',
  expiring: 'Sign-in needed soon',
  login_required: 'Sign-in needed',
  revoked: 'Access revoked',
};

/** Shows a connection with its state, accounts and actions. */
export function ConnectionCard({ connection, privacy, renderAmounts }: ConnectionCardProps) {
  const { kind, institution, status, accounts, connected_at: since } = connection;
  const attentionMessage = formatAttention(connection);
  const { isPending: isRemoving, mutate: remove } = useRemoveConnection(connection);
  const refresh = useRefreshConnection(connection);
  const demo = useDemoAccount();
  // A refresh cannot succeed before the sign-in.
  const needsSignIn = status === 'login_required' || status === 'revoked';
  const [open, setOpen] = useState<'repair' | 'accounts' | 'removal' | Account | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Card
      title={institution}
      actions={
        isRemoving ? (
          <Badge>Removing…</Badge>
        ) : (
          <Badge tone={attentionMessage ? 'warn' : 'accent'}>{statusLabels[status]}</Badge>
        )
      }
    >
      <p className="text-small text-ink-faint">
        {`${kind === 'bank' ? 'Bank' : 'Brokerage'}, connected ${formatDay(since)}, `}
        <SyncAge connection={connection} />
      </p>
      {attentionMessage && (
        <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-warn-soft px-4 py-3">
          <p className="min-w-0 flex-1 basis-60">{attentionMessage}</p>
          <Button aria-label={`Sign in again to ${institution}`} onClick={() => setOpen('repair')}>
            Sign in again
          </Button>
        </div>
      )}
      <ul aria-label={`Accounts at ${institution}`} className="mt-3 divide-y divide-line border-y border-line">
        {accounts.map((account) => (
          <li key={account.id} className="py-2">
            <div className="flex items-center gap-3">
              <div className="min-w-0 flex-1">
                <AccountLine account={account} />
              </div>
              {renderAmounts(account)}
              <Button
                variant="quiet"
                aria-label={`Rename ${account.name}`}
                className="min-h-8 px-2"
                onClick={() => setOpen(account)}
              >
                <Icon name="pencil" />
              </Button>
            </div>
            {account.left_out && (
              <LeftOutNotice account={account} institution={institution} onAdd={() => setOpen('accounts')} />
            )}
            <DuplicateNotice account={account} privacy={privacy} />
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-small text-ink-faint">
          The first amount is cash and holdings in your base currency, as on Home.
        </p>
        <div className="ms-auto flex flex-wrap justify-end gap-2">
          {!demo && (
            <>
              {!needsSignIn && (
                <Button
                  aria-label={`Refresh ${institution}`}
                  pending={refresh.isRefreshing}
                  onClick={() => refresh.start()}
                >
                  Refresh
                </Button>
              )}
              <Button aria-label={`Add accounts at ${institution}`} onClick={() => setOpen('accounts')}>
                Add accounts
              </Button>
              {!attentionMessage && (
                <Button aria-label={`Sign in again to ${institution}`} onClick={() => setOpen('repair')}>
                  Sign in again
                </Button>
              )}
            </>
          )}
          <Button
            variant="danger"
            aria-label={`Remove ${institution}`}
            pending={isRemoving}
            onClick={() => setOpen('removal')}
          >
            Remove
          </Button>
        </div>
      </div>
      {(open === 'repair' || open === 'accounts') && (
        <LazyComponent
          component={lazyConnectDialog}
          props={{ repair: connection, isAddingAccounts: open === 'accounts', onClose: close }}
          onClose={close}
        />
      )}
      {open === 'removal' && (
        <LazyComponent
          component={lazyRemoveDialog}
          props={{ connection, onRemove: remove, onClose: close }}
          onClose={close}
        />
      )}
      {typeof open === 'object' && open && (
        <LazyComponent component={lazyRenameDialog} props={{ account: open, onClose: close }} onClose={close} />
      )}
    </Card>
  );
}

/** Removes a connection. Its card shows the progress, and a failed removal can be retried. */
function useRemoveConnection({ id, institution }: Connection): UseMutationResult<void, Error, void> {
  const queries = useQueryClient();
  const removal: UseMutationResult<void, Error, void> = useMutation({
    async mutationFn() {
      try {
        await callApi('DELETE /api/connections/{id}', { params: { id } });
      } catch (error) {
        // A connection that another tab has removed counts as removed.
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    },
    onError: (error: Error) => showErrorToast(`Could not remove ${institution}.`, error, removal.mutate),
    onSuccess: () => {
      // The pressed button disappears with its card.
      document.getElementById('main')?.focus({ preventScroll: true });
      queries.setQueryData(
        connectionsQuery.queryKey,
        (cached) => cached && { connections: cached.connections.filter((connection) => connection.id !== id) },
      );
      void queries.invalidateQueries();
      showToast(`${institution} removed.`, 'good');
    },
  });
  return removal;
}
