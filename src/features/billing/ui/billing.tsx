import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { formatDay } from '../../../ui/kit/formats.ts';
import { showErrorToast } from '../../../ui/shell/session/show-error-toast.ts';
import { Button, getButtonClass } from '../../../ui/kit/button.tsx';
import { Card } from '../../../ui/kit/card.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import type { BillingResponse } from '../contract.ts';
import { formatMinorUnits } from '../minor-units.ts';
import { useBilling, useSyncOnReturn } from './billing-query.ts';
import { formatPrice, tierNames } from './plan-labels.ts';
import { describeEnd, describePendingPlan } from './plan-messages.ts';
import CancelDialog from './cancel-dialog.tsx';
import { usePlanAction } from './use-plan-action.ts';

/** Shows the member's plan and payments with every option to change them. */
export function Billing() {
  const { data, error, refetch } = useBilling();
  useSyncOnReturn();
  if (error && !data)
    return (
      <ErrorMessage
        error={error}
        retry={() => {
          void refetch();
        }}
      />
    );
  if (!data)
    return (
      <div role="status" data-loading className="card h-48 p-5">
        <span className="sr-only">Loading your plan</span>
      </div>
    );
  return (
    <>
      <Problem billing={data} />
      <Plan billing={data} />
      <Invoices invoices={data.invoices} />
    </>
  );
}

function Problem({ billing: { payment_problem: problem, paid_tier: tier } }: { billing: BillingResponse }) {
  if (!problem || !tier) return null;
  return (
    <div role="alert" className="grid gap-2 rounded-control bg-warn-soft px-4 py-3">
      <p className="font-medium">
        {problem.kind === 'renewal' ? 'Your last payment did not go through.' : 'Your upgrade needs a payment.'}
      </p>
      <p>
        {problem.kind === 'renewal'
          ? `You keep ${tierNames[tier]} while we try again. Pay the invoice, or change your payment method below.`
          : `Until it is paid you stay on ${tierNames[tier]}, and nothing else has changed.`}
      </p>
      {problem.url && (
        <a href={problem.url} className={getButtonClass('primary', 'justify-self-start')}>
          Pay the invoice
        </a>
      )}
    </div>
  );
}

function Plan({ billing }: { billing: BillingResponse }) {
  const demo = useDemoAccount();
  const [isConfirming, setIsConfirming] = useState(false);
  const planAction = usePlanAction();
  const portal = useMutation({
    mutationFn: () => callApi('POST /api/billing/portal'),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => showErrorToast('Could not open the payment page.', error, () => portal.mutate()),
  });
  const { tier, paid_tier: paid, granted_tier: granted, price, next_invoice: next } = billing;
  const { pending_change: pending, cancel_at: end } = billing;
  const canChange = billing.payments !== null && !demo;
  return (
    <Card title="Your plan">
      <dl className="divide-y divide-line border-y border-line">
        <Row name="Plan">
          {tierNames[tier]}
          {billing.source === 'operator' && ', complimentary'}
        </Row>
        {price && paid && <Row name="Price">{formatPrice(price)}</Row>}
        {next && (
          <Row name="Next invoice">
            {formatMinorUnits(next.amount_minor, next.currency)} on {formatDay(next.at)}
          </Row>
        )}
        {pending && <Row name="Changes to">{describePendingPlan(pending.tier, formatDay(pending.at), granted)}</Row>}
        {end && <Row name="Ends">{describeEnd(formatDay(end), granted)}</Row>}
      </dl>
      {billing.payments === 'test' && <p className="mt-3 text-small text-ink-faint">Test mode: no money is charged.</p>}
      <div className="mt-4 flex flex-wrap gap-2">
        {tier !== 'max' || paid ? (
          <Link href="/plans" className={getButtonClass(paid ? 'plain' : 'primary')}>
            {canChange ? 'Change the plan' : 'See the plans'}
          </Link>
        ) : null}
        {canChange && paid && (
          <>
            <Button pending={portal.isPending || portal.isSuccess} onClick={() => portal.mutate()}>
              Payment method
            </Button>
            {end || pending ? (
              <Button pending={planAction.isPending} onClick={() => planAction.mutate('resume')}>
                Keep {tierNames[paid]}
              </Button>
            ) : (
              <Button variant="danger" onClick={() => setIsConfirming(true)}>
                Cancel the plan
              </Button>
            )}
          </>
        )}
      </div>
      {isConfirming && <CancelDialog billing={billing} onClose={() => setIsConfirming(false)} />}
    </Card>
  );
}

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-wrap items-center py-2">
    <dt className="w-full text-small text-ink-faint sm:w-40 sm:text-body">{name}</dt>
    <dd className="min-w-0 grow basis-full font-medium sm:basis-0">{children}</dd>
  </div>
);

const invoiceStates: Readonly<Record<string, string>> = {
  paid: 'Paid',
  open: 'Open',
  void: 'Void',
  uncollectible: 'Not paid',
};

/** Shows the invoices, newest first, with links to the provider's pages. */
function Invoices({ invoices }: Pick<BillingResponse, 'invoices'>) {
  return (
    <Card title="Invoices">
      {invoices.length === 0 ? (
        <p className="text-ink-soft">No invoices yet.</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {invoices.map(({ number, status, amount_minor: amount, currency, url, created_at: at }) => (
            <li key={`${number} ${at}`} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
              <span>{formatDay(at)}</span>
              <span className="num">{formatMinorUnits(amount, currency)}</span>
              <span className="text-ink-soft">{invoiceStates[status] ?? status}</span>
              {url && status === 'open' ? (
                <a className="link" href={url}>
                  Pay {number}
                </a>
              ) : (
                <span className="text-small text-ink-faint">{number}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
