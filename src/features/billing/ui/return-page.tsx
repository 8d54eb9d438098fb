import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { navigate, useLocation } from '../../../ui/shell/navigation/location.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { Queries } from '../../../ui/shell/api/queries.tsx';
import { Button, getButtonClass } from '../../../ui/kit/button.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import { clearReturnIntent, readReturnIntent } from './return-intent.ts';
import { tierNames } from './plan-labels.ts';

/** Shows `/plans/return/<checkout>`, to which the payment page redirects. */
export default function ReturnPage() {
  const checkout = useLocation().path.split('/')[3];
  return (
    <div className="mx-auto max-w-settings">
      <Queries>{checkout === undefined ? <CheckoutNotFound /> : <CheckoutProgress checkout={checkout} />}</Queries>
    </div>
  );
}

/** Interval in ms and number of polls for a payment that is not recorded yet. */
const POLL_INTERVAL_MS = 2_000;
const MAX_POLLS = 15;

function CheckoutProgress({ checkout }: { checkout: string }) {
  const queries = useQueryClient();
  const [polls, setPolls] = useState(0);
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['checkout', checkout],
    queryFn: async ({ signal }) => {
      const billing = await callApi('POST /api/billing/sync', { body: { checkout_id: checkout }, signal });
      setPolls((count) => count + 1);
      return billing;
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      state.data?.checkout?.status === 'open' && state.dataUpdateCount < MAX_POLLS && POLL_INTERVAL_MS,
  });
  const isComplete = data?.checkout?.status === 'complete';
  const tier = data?.tier;
  useEffect(() => {
    if (!isComplete || !tier) return;
    void completeReturn(tierNames[tier]).then(() => queries.invalidateQueries());
  }, [isComplete, tier, queries]);
  if (error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'INVALID_REQUEST'))
    return <CheckoutNotFound />;
  if (error)
    return (
      <StatusSection key={dataUpdatedAt} title="We could not check your payment yet">
        <p className="text-ink-soft">If you paid, your payment is safe and you will not be charged twice.</p>
        <ErrorMessage
          error={error}
          retry={() => {
            void refetch();
          }}
        />
      </StatusSection>
    );
  // An open checkout may still be paid, so the page never invites to start another.
  if (data?.checkout?.status === 'open' && polls >= MAX_POLLS)
    return (
      <StatusSection title="Payment not confirmed yet">
        <p className="text-ink-soft">
          If you paid, your plan changes as soon as the payment arrives, and you will not be charged twice.
        </p>
        <Button
          variant="primary"
          className="justify-self-start"
          onClick={() => {
            void refetch();
          }}
        >
          Check again
        </Button>
      </StatusSection>
    );
  if (data?.checkout?.status === 'expired')
    return (
      <StatusSection title="Payment not received yet">
        <p className="text-ink-soft">Your plan is unchanged. You can start again at any time.</p>
        <PlansLink />
      </StatusSection>
    );
  return (
    <StatusSection title="Confirming your payment…" isWaiting>
      <p className="text-ink-soft">This takes a moment. You can leave this page.</p>
    </StatusSection>
  );
}

/** Adds the wanted symbol and navigates back, once. */
async function completeReturn(plan: string): Promise<void> {
  const { to, symbol } = readReturnIntent();
  clearReturnIntent();
  const isAdded =
    symbol !== null &&
    (await callApi('POST /api/watchlist', { body: { symbol } }).then(
      () => true,
      (error: unknown) => error instanceof ApiError && error.code === 'ALREADY_WATCHED',
    ));
  navigate(to, { replace: true });
  showToast(`You are on ${plan} now.${isAdded ? ` ${symbol} is on your watchlist.` : ''}`, 'good');
  if (symbol !== null && !isAdded) showToast(`Could not add ${symbol}. Try again from your watchlist.`, 'bad');
}

const CheckoutNotFound = () => (
  <StatusSection title="Link not valid">
    <p className="text-ink-soft">This link does not belong to a checkout of your account.</p>
    <PlansLink />
  </StatusSection>
);

const PlansLink = () => (
  <Link href="/plans" className={getButtonClass('primary', 'justify-self-start')}>
    See the plans
  </Link>
);

/** Shows one state of the page and announces it to screen readers. */
const StatusSection = ({
  title,
  isWaiting = false,
  children,
}: {
  title: string;
  isWaiting?: boolean;
  children: ReactNode;
}) => (
  <section role="status" data-loading={isWaiting || undefined} className="card grid gap-4 p-5 sm:p-6">
    <h1 className="text-title font-semibold tracking-tight">{title}</h1>
    {children}
  </section>
);
