import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { getApiErrorBody } from '../../../ui/shell/api/call-api.ts';
import { captureEvent } from '../../../ui/shell/events/capture-events.ts';
import { formatDay } from '../../../ui/kit/formats.ts';
import { navigate } from '../../../ui/shell/navigation/location.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import type { BillingResponse, PlansResponse, UpgradeEntry } from '../contract.ts';
import { formatMinorUnits } from '../minor-units.ts';
import { storeReturnIntent } from './return-intent.ts';
import { BILLING_QUERY_KEY } from './billing-query.ts';
import { formatPrice, tierNames } from './plan-labels.ts';

export interface ChangeDialogProps {
  plan: PlansResponse['plans'][number];
  from: PlansResponse['plans'][number];
  billing: BillingResponse;
  entry: UpgradeEntry | null;
  /** Symbol that the member wanted to watch. */
  symbol: string | null;
  onClose: () => void;
}

/** Shows the effects and costs of a change of plan and starts it, by a checkout or on the existing subscription. */
export default function ChangeDialog({ plan, from, billing, entry, symbol, onClose }: ChangeDialogProps) {
  const queries = useQueryClient();
  const { tier, price, watchlist_limit: limit } = plan;
  const isPaid = billing.paid_tier !== null;
  const isLarger = limit > from.watchlist_limit;
  const eventProperties = { entry_source: entry, tier: from.tier, to_tier: tier };
  const preview = useQuery({
    queryKey: ['billing', 'preview', tier],
    queryFn: ({ signal }) => callApi('POST /api/billing/preview', { body: { tier }, signal }),
    staleTime: 0,
    enabled: isPaid,
  });
  const order = { ...(entry && { entry }) };
  const change = useMutation({
    async mutationFn() {
      if (!isPaid && tier !== 'free') {
        const { url } = await callApi('POST /api/billing/checkout', { body: { tier, ...order } });
        storeReturnIntent({ to: entry ? '/dashboard' : '/settings/billing', symbol });
        return url;
      }
      queries.setQueryData(BILLING_QUERY_KEY, await callApi('POST /api/billing/change', { body: { tier, ...order } }));
      return null;
    },
    onSuccess(url) {
      if (url !== null) return window.location.assign(url);
      void queries.invalidateQueries();
      onClose();
      showToast(isLarger ? `You are on ${tierNames[tier]} now.` : `Your plan changes to ${tierNames[tier]}.`, 'good');
      navigate(entry && isLarger ? '/dashboard' : '/settings/billing');
    },
  });
  const { error } = change;
  const paymentUrl = getApiErrorBody('POST /api/billing/change', 'PAYMENT_REQUIRED', error)?.url;
  useEffect(() => {
    if (isLarger) captureEvent('upgrade_modal_viewed', eventProperties);
    // Captured once per dialog, with the props at its opening.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  const dismiss = (): void => {
    if (isLarger) captureEvent('upgrade_modal_dismissed', eventProperties);
    onClose();
  };

  return (
    <Dialog title={`${isLarger ? 'Upgrade' : 'Change'} to ${tierNames[tier]}?`} onClose={dismiss}>
      <div id="what-changes" className="mt-3 grid gap-2 text-ink-soft">
        <p>{`${limit} tickers on your watchlist instead of ${from.watchlist_limit}.`}</p>
        {symbol && isLarger && <p>{`${symbol} will be added to your watchlist.`}</p>}
        {!isLarger && <p>Extra tickers are locked, not deleted. They unlock when your plan covers them.</p>}
        {price && <p className="font-medium text-ink">{formatPrice(price)}</p>}
        {isPaid ? (
          <AmountDue preview={preview} isLarger={isLarger} from={from} />
        ) : (
          <p>You pay on the next page and come back here. You can cancel at any time.</p>
        )}
        {billing.payments === 'test' && <p>Test mode: no money is charged.</p>}
      </div>
      {error && (
        <div className="mt-4">
          {paymentUrl ? (
            <p role="alert" className="rounded-control bg-sunken px-4 py-3">
              {error.message}{' '}
              <a className="link" href={paymentUrl}>
                Pay with another card
              </a>
            </p>
          ) : (
            <ErrorMessage error={error} retry={() => change.mutate()} />
          )}
        </div>
      )}
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={dismiss}>Not now</Button>
        <Button
          variant="primary"
          aria-describedby="what-changes"
          pending={change.isPending || change.isSuccess || (isPaid && preview.isPending)}
          onClick={() => {
            if (isLarger) captureEvent('upgrade_modal_confirmed', eventProperties);
            change.mutate();
          }}
        >
          {isPaid ? 'Change the plan' : 'Continue to payment'}
        </Button>
      </div>
    </Dialog>
  );
}

interface AmountDueProps {
  preview: ReturnType<typeof useQuery<{ due_now_minor: number; currency: string; effective_at: string }>>;
  isLarger: boolean;
  from: ChangeDialogProps['from'];
}

/** Shows the amount due now and the start of the new plan. */
function AmountDue({ preview: { data, error, refetch }, isLarger, from }: AmountDueProps) {
  if (error)
    return (
      <ErrorMessage
        error={error}
        retry={() => {
          void refetch();
        }}
      />
    );
  if (!data) return <p>Calculating…</p>;
  return isLarger ? (
    <p>
      Due now: {formatMinorUnits(data.due_now_minor, data.currency)} for the rest of this billing period. Your new plan
      starts immediately.
    </p>
  ) : (
    <p>{`Nothing is due now. You keep ${tierNames[from.tier]} until ${formatDay(data.effective_at)}.`}</p>
  );
}
