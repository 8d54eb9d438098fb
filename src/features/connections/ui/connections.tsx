import { type ComponentProps, useState } from 'react';
import { useConnections } from './shared/connections-query.ts';
import { useConnectionKinds } from './shared/use-connection-kinds.ts';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Card } from '../../../ui/kit/card.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { LazyComponent } from '../../../ui/shell/loading/lazy-component.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { lazyConnectDialog } from './lazy-connect-dialog.ts';
import { ConnectionCard } from './connection-card.tsx';

/**
 * Shows the page of connections: a button to connect another one, then each connection with its accounts and actions.
 */
export function Connections({ privacy, renderAmounts }: Omit<ComponentProps<typeof ConnectionCard>, 'connection'>) {
  const { data, error, isPending, refetch } = useConnections();
  const demo = useDemoAccount();
  return (
    <>
      <Card title="Connect an account">
        {demo ? (
          <p role="note" className="max-w-prose rounded-control bg-sunken px-4 py-3 text-ink-soft">
            You cannot connect accounts in the shared demo. Create your own account to connect a bank.
          </p>
        ) : (
          <ConnectPrompt />
        )}
      </Card>
      {isPending && (
        <div data-loading>
          <Skeleton lines={4} label="Loading your connections" />
        </div>
      )}
      {error && (
        <ErrorMessage
          error={error}
          retry={() => {
            void refetch();
          }}
        />
      )}
      {data?.connections.map((connection) => (
        <ConnectionCard key={connection.id} connection={connection} privacy={privacy} renderAmounts={renderAmounts} />
      ))}
    </>
  );
}

function ConnectPrompt() {
  const offers = useConnectionKinds().data?.offers;
  const [open, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
      <p className="max-w-prose min-w-0 flex-1 basis-72 text-ink-soft">
        {offers?.length === 0
          ? 'Banks and brokerages cannot be connected here. You can add accounts manually on Home.'
          : 'Accounts at your bank or brokerage appear next to your manual accounts and are updated daily.'}
      </p>
      {offers?.length !== 0 && (
        <Button variant="primary" {...lazyConnectDialog.preloadProps} onClick={() => setOpen(true)}>
          Connect an account
        </Button>
      )}
      {open && <LazyComponent component={lazyConnectDialog} props={{ onClose: close }} onClose={close} />}
    </div>
  );
}
