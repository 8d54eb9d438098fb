import { useState } from 'react';
import type { AnswerOf } from '../../../ui/shell/api/api-routes.ts';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { useOffers } from '../../../ui/shell/connections/use-offers.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { Failure } from '../../../ui/kit/failure.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import type { Connection, ConnectionKind } from '../contract.ts';
import { useStart } from './use-start.ts';

export interface ConnectDialogProps {
  /** The connection to sign in to again; a new one without it. */
  repair?: Pick<Connection, 'id' | 'kind' | 'institution'> | undefined;
  /** The sign-in is to add accounts to that connection. */
  adds?: boolean | undefined;
  onClose: () => void;
}

/** Says what connecting an account means, and leads to the page on which it is done. */
export default function ConnectDialog({ repair, adds = false, onClose }: ConnectDialogProps) {
  const offers = useOffers();
  const demo = useDemoAccount();
  const title = !repair
    ? 'Connect an account'
    : adds
      ? `Add accounts at ${repair.institution}`
      : `Sign in to ${repair.institution} again`;
  const offered = offers.data?.offers.filter(({ kind }) => repair === undefined || kind === repair.kind);
  return (
    <Dialog title={title} className="w-[min(30rem,calc(100vw-2rem))]" onClose={onClose}>
      {demo ? (
        <Refusal onClose={onClose}>
          The demo account is shared, so nobody’s bank belongs in it. Connect yours in an account of your own.
        </Refusal>
      ) : offered?.length === 0 ? (
        <Refusal onClose={onClose}>Accounts cannot be connected here. You can add them by hand.</Refusal>
      ) : offered ? (
        <Choice offers={offered} repair={repair?.id} adds={adds} onClose={onClose} />
      ) : offers.isPending ? (
        <Skeleton lines={6} label="Looking up what can be connected" />
      ) : (
        <div className="mt-4">
          <Failure error={offers.error} retry={() => void offers.refetch()} onClose={onClose} />
        </div>
      )}
    </Dialog>
  );
}

const Refusal = ({ children, onClose }: { children: string; onClose: () => void }) => (
  <>
    <p role="note" className="mt-3 text-ink-soft">
      {children}
    </p>
    <div className="mt-5 flex justify-end">
      <Button onClick={onClose}>Close</Button>
    </div>
  </>
);

const kinds: Readonly<Record<ConnectionKind, { name: string; about: string; service: string }>> = {
  bank: { name: 'Bank', about: 'Checking, savings, cards, investments', service: 'Plaid' },
  brokerage: { name: 'Brokerage', about: 'Investments and cash', service: 'SnapTrade' },
};

const option =
  'grid gap-0.5 rounded-control border border-line-strong px-3 py-2 hover:bg-sunken has-checked:border-accent ' +
  'has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent';

interface ChoiceProps {
  offers: AnswerOf<'GET /api/connections/offers'>['offers'];
  repair: string | undefined;
  adds: boolean;
  onClose: () => void;
}

function Choice({ offers, repair, adds, onClose }: ChoiceProps) {
  const [chosen, setChosen] = useState(offers[0]!.kind);
  const { kind, sandbox } = offers.find((offer) => offer.kind === chosen) ?? offers[0]!;
  const { name, service } = kinds[kind];
  const place = name.toLowerCase();
  const start = useStart();
  const begin = (): void => start.mutate({ kind, ...(repair !== undefined && { repair }) });
  return (
    <div className="mt-4 grid gap-4">
      {offers.length > 1 && (
        <fieldset>
          <legend className="mb-1.5 text-small font-medium">Where is the account?</legend>
          <div className="grid gap-2 sm:grid-cols-2">
            {offers.map((offer) => (
              <label key={offer.kind} className={option}>
                <input
                  type="radio"
                  name="kind"
                  className="sr-only"
                  checked={offer.kind === kind}
                  onChange={() => setChosen(offer.kind)}
                />
                <span className="font-medium">{kinds[offer.kind].name}</span>
                <span className="text-small text-ink-soft">{kinds[offer.kind].about}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {adds && kind === 'bank' && (
        <p className="text-ink-soft">
          On the page of your bank choose the new accounts, and leave those chosen that you have connected: an account
          that you do not choose goes.
        </p>
      )}
      {adds && kind === 'brokerage' && (
        <p className="text-ink-soft">Sign in once more: every account behind your sign-in is then read.</p>
      )}
      <dl className="grid gap-3 text-small">
        <Fact name="Where you sign in">
          {sandbox
            ? `On a test page, “Sandbox ${name}”, that stands in for ${service}. ` +
              `No real ${place} is asked; use no real password.`
            : `On a page of ${service}, which connects Tally with your ${place}. Tally never sees your password.`}
        </Fact>
        <Fact name="What Tally may do">
          Read the names, balances and holdings of the accounts that you choose. It can move no money and place no
          order.
        </Fact>
        <Fact name="What is kept">
          What was read, the last digits of each account, and a sealed key to read it again each day. All of it goes
          when you remove the connection.
        </Fact>
      </dl>
      {start.error && <Failure error={start.error} retry={begin} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        {/* Pending from the press until the browser has left. */}
        <Button look="primary" pending={start.isPending || start.isSuccess} onClick={begin}>
          {sandbox ? `Continue to Sandbox ${name}` : `Continue to ${service}`}
        </Button>
      </div>
    </div>
  );
}

const Fact = ({ name, children }: { name: string; children: string }) => (
  <div>
    <dt className="font-medium">{name}</dt>
    <dd className="text-ink-soft">{children}</dd>
  </div>
);
