import { useState } from 'react';
import type { RouteResponse } from '../../../ui/shell/api/api-routes.ts';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { useConnectionKinds } from './shared/use-connection-kinds.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import type { Connection, ConnectionKind } from '../contract.ts';
import { useStartConnection } from './use-start-connection.ts';

export interface ConnectDialogProps {
  /** Connection to reauthenticate. Without it a new one is created. */
  repair?: Pick<Connection, 'id' | 'kind' | 'institution'> | undefined;
  /** True if the sign-in adds accounts to that connection. */
  isAddingAccounts?: boolean | undefined;
  onClose: () => void;
}

/** Explains the effects of connecting an account and leads to the aggregator's page. */
export default function ConnectDialog({ repair, isAddingAccounts = false, onClose }: ConnectDialogProps) {
  const offers = useConnectionKinds();
  const demo = useDemoAccount();
  const offered = offers.data?.offers.filter(({ kind }) => repair === undefined || kind === repair.kind);
  const renderContent = () => {
    if (demo)
      return (
        <UnavailableNotice onClose={onClose}>
          You cannot connect accounts in the shared demo. Create your own account to connect a bank.
        </UnavailableNotice>
      );
    if (offered?.length === 0)
      return (
        <UnavailableNotice onClose={onClose}>
          Accounts cannot be connected here. You can add them manually.
        </UnavailableNotice>
      );
    if (offered)
      return <ConnectForm offers={offered} repair={repair?.id} isAddingAccounts={isAddingAccounts} onClose={onClose} />;
    if (offers.isPending) return <Skeleton lines={6} label="Loading the connection options" />;
    return (
      <div className="mt-4">
        <ErrorMessage
          error={offers.error}
          retry={() => {
            void offers.refetch();
          }}
          onClose={onClose}
        />
      </div>
    );
  };
  return (
    <Dialog title={getTitle(repair, isAddingAccounts)} className="w-[min(30rem,calc(100vw-2rem))]" onClose={onClose}>
      {renderContent()}
    </Dialog>
  );
}

function getTitle(repair: ConnectDialogProps['repair'], isAddingAccounts: boolean): string {
  if (!repair) return 'Connect an account';
  return isAddingAccounts ? `Add accounts at ${repair.institution}` : `Sign in to ${repair.institution} again`;
}

const UnavailableNotice = ({ children, onClose }: { children: string; onClose: () => void }) => (
  <>
    <p role="note" className="mt-3 text-ink-soft">
      {children}
    </p>
    <div className="mt-5 flex justify-end">
      <Button onClick={onClose}>Close</Button>
    </div>
  </>
);

const kinds: Readonly<Record<ConnectionKind, { name: string; description: string; service: string }>> = {
  bank: { name: 'Bank', description: 'Checking, savings, cards, investments', service: 'Plaid' },
  brokerage: { name: 'Brokerage', description: 'Investments and cash', service: 'SnapTrade' },
};

const optionClassName =
  'grid content-start gap-0.5 rounded-control border border-line-strong px-3 py-2 hover:bg-sunken has-checked:border-accent ' +
  'has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent';

interface ConnectFormProps {
  offers: RouteResponse<'GET /api/connections/offers'>['offers'];
  repair: string | undefined;
  isAddingAccounts: boolean;
  onClose: () => void;
}

function ConnectForm({ offers, repair, isAddingAccounts, onClose }: ConnectFormProps) {
  const [chosen, setChosen] = useState(offers[0]!.kind);
  const { kind, sandbox } = offers.find((offer) => offer.kind === chosen) ?? offers[0]!;
  const { name, service } = kinds[kind];
  const kindName = name.toLowerCase();
  const start = useStartConnection();
  const startConnection = (): void => start.mutate({ kind, ...(repair !== undefined && { repair }) });
  return (
    <div className="mt-4 grid gap-4">
      {offers.length > 1 && (
        <fieldset>
          <legend className="mb-1.5 text-small font-medium">Where is the account?</legend>
          <div className="grid gap-2 sm:grid-cols-2">
            {offers.map((offer) => (
              <label key={offer.kind} className={optionClassName}>
                <input
                  type="radio"
                  name="kind"
                  className="sr-only"
                  checked={offer.kind === kind}
                  onChange={() => setChosen(offer.kind)}
                />
                <span className="font-medium">{kinds[offer.kind].name}</span>
                <span className="text-small text-ink-soft">{kinds[offer.kind].description}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {isAddingAccounts && kind === 'bank' && (
        <p className="text-ink-soft">
          On your bank’s page, select the new accounts and keep the connected ones selected. Accounts that you do not
          select are no longer shared.
        </p>
      )}
      {isAddingAccounts && kind === 'brokerage' && (
        <p className="text-ink-soft">Sign in again. Tally then reads every account of your sign-in.</p>
      )}
      <dl className="grid gap-3 text-small">
        <DescriptionItem name="Where you sign in">
          {sandbox
            ? `On a test page, “Sandbox ${name}”, that replaces ${service}. ` +
              `No real ${kindName} is contacted. Do not enter a real password.`
            : `On a page of ${service}, which connects Tally with your ${kindName}. Tally never sees your password.`}
        </DescriptionItem>
        <DescriptionItem name="What Tally may do">
          Read the names, balances and holdings of the accounts that you select. It cannot move money or place orders.
        </DescriptionItem>
        <DescriptionItem name="What is kept">
          The data, the last digits of each account, and an encrypted access token for daily updates. Removing the
          connection deletes all of it.
        </DescriptionItem>
      </dl>
      {start.error && <ErrorMessage error={start.error} retry={startConnection} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        {/* The button is pending from the press until the browser has left the page. */}
        <Button variant="primary" pending={start.isPending || start.isSuccess} onClick={startConnection}>
          {sandbox ? `Continue to Sandbox ${name}` : `Continue to ${service}`}
        </Button>
      </div>
    </div>
  );
}

const DescriptionItem = ({ name, children }: { name: string; children: string }) => (
  <div>
    <dt className="font-medium">{name}</dt>
    <dd className="text-ink-soft">{children}</dd>
  </div>
);
