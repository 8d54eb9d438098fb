import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { captureEvent } from '../../../ui/shell/events/capture-events.ts';
import { useMember, useSession, wasSignedIn } from '../../../ui/shell/session/session.ts';
import { closedSignUpTexts, useSignUpMode } from '../../../ui/shell/session/sign-up-mode.ts';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { lazyComponent, LazyComponent } from '../../../ui/shell/loading/lazy-component.tsx';
import { useLocation, useSearchParams } from '../../../ui/shell/navigation/location.ts';
import { Queries } from '../../../ui/shell/api/queries.tsx';
import { LegalLine } from '../../../ui/shell/layout/legal-links.tsx';
import { Button, getButtonClass } from '../../../ui/kit/button.tsx';
import { formatDay } from '../../../ui/kit/formats.ts';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import type { BillingResponse, PlansResponse, Tier } from '../contract.ts';
import { useBilling } from './billing-query.ts';
import { InEveryPlan, PlanCard, PlanSkeletons } from './plan-card.tsx';
import { VisitorPlans } from './visitor-plans.tsx';
import { tierNames } from './plan-labels.ts';
import { compareTiers, describeEnd, describePendingPlan, getUpgradeReason, parseEntry } from './plan-messages.ts';
import { usePlanAction } from './use-plan-action.ts';

/** Confirmation dialog of a change of plan. */
const lazyChangeDialog = lazyComponent('The plan dialog', () => import('./change-dialog.tsx'));

const lazyCancelDialog = lazyComponent('The dialog to cancel', () => import('./cancel-dialog.tsx'));

/**
 * Shows `/plans?entry=`: all plans with their limits, the member's own plan and the possible actions. Visitors see the
 * plans with their prices.
 */
export default function PlansPage() {
  const { status } = useSession();
  const isMember = useMember() !== null || (status === 'loading' && wasSignedIn());
  if (!isMember) return <VisitorsPlans />;
  return (
    <div className="grid gap-6">
      {status === 'loading' ? (
        <PlanSkeletons />
      ) : (
        <Queries>
          <Plans />
        </Queries>
      )}
    </div>
  );
}

/** Shows the plans to visitors, and leads to an account. */
function VisitorsPlans() {
  const { search } = useLocation();
  const signUpMode = useSignUpMode();
  return (
    <div className="grid gap-6">
      <div className="grid max-w-prose gap-2">
        <h1 className="text-title font-semibold tracking-tight">Plans</h1>
        <p className="text-lead text-ink-soft">{getUpgradeReason(null)}</p>
      </div>
      <section aria-labelledby="plan-list">
        <h2 id="plan-list" className="sr-only">
          Prices and limits
        </h2>
        <VisitorPlans />
      </section>
      <InEveryPlan />
      {signUpMode === 'open' ? (
        <Link href={`/sign-up${search}`} className={getButtonClass('primary', 'justify-self-start')}>
          Create account
        </Link>
      ) : (
        <p>{closedSignUpTexts[signUpMode]}</p>
      )}
    </div>
  );
}

/** Shows the plans side by side. If plans are for sale, each has a button to change to it. */
function Plans() {
  const demo = useDemoAccount();
  const search = useSearchParams();
  const entry = parseEntry(search.get('entry'));
  const { data: billing, isPending: billingIsPending, failureCount: billingFailures } = useBilling();
  const [isCancelling, setIsCancelling] = useState(false);
  const closeCancel = (): void => setIsCancelling(false);
  const [chosen, setChosen] = useState<PlansResponse['plans'][number]>();
  const plans = useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) => callApi('GET /api/plans', { signal }),
  });
  // Both are shown together to avoid a layout shift. A failed request does not block the page.
  const isPending = plans.isPending || (billingIsPending && billingFailures === 0);
  const data = isPending ? undefined : plans.data;
  const current = data?.current;
  useEffect(() => {
    if (current) captureEvent('plans_viewed', { entry_source: entry, tier: current });
    // Captured once per visit, with the first plan that was read.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [current]);
  const canBuy = billing !== undefined && billing.payments !== null && !demo;
  const canCancel = canBuy && billing.paid_tier !== null && !billing.cancel_at && !billing.pending_change;
  const from = data?.plans.find(({ tier }) => tier === (billing?.paid_tier ?? current));
  // A granted plan costs nothing, so it is not offered for a payment.
  const isAboveGrant = (tier: Tier): boolean => compareTiers(tier, billing?.granted_tier ?? 'free') > 0;
  // A paid plan can be kept, cancelled or made smaller.
  const isLargest = data !== undefined && data.plans.at(-1)?.tier === current && !billing?.paid_tier;

  const renderPlans = () => {
    if (data)
      return (
        <ul aria-label="Plans" className="grid gap-4 sm:grid-cols-3 sm:gap-5">
          {data.plans.map((plan) => (
            <PlanCard key={plan.tier} plan={plan} isCurrent={plan.tier === current}>
              {canBuy && from && plan.price && plan.tier !== from.tier && isAboveGrant(plan.tier) && (
                <Button
                  variant={plan.watchlist_limit > from.watchlist_limit ? 'primary' : 'plain'}
                  className="justify-self-start"
                  {...lazyChangeDialog.preloadProps}
                  onClick={() => setChosen(plan)}
                >
                  {`${plan.watchlist_limit > from.watchlist_limit ? 'Upgrade' : 'Change'} to ${tierNames[plan.tier]}`}
                </Button>
              )}
              {billing && plan.tier === billing.paid_tier && <ScheduledChange billing={billing} canKeep={canBuy} />}
              {plan.tier === 'free' && canCancel && (
                <Button
                  variant="danger"
                  className="justify-self-start"
                  {...lazyCancelDialog.preloadProps}
                  onClick={() => setIsCancelling(true)}
                >
                  Cancel the plan
                </Button>
              )}
            </PlanCard>
          ))}
        </ul>
      );
    if (isPending) return <PlanSkeletons />;
    return (
      <ErrorMessage
        error={plans.error}
        retry={() => {
          void plans.refetch();
        }}
      />
    );
  };
  return (
    <>
      <div className="grid max-w-prose gap-2">
        <h1 className="text-title font-semibold tracking-tight">Plans</h1>
        <p className="text-lead text-ink-soft">{getUpgradeReason(entry)}</p>
      </div>
      {renderPlans()}
      {!isPending && <InEveryPlan />}
      {data && canBuy && billing.paid_tier !== null && (
        <p>
          <Link href="/settings/billing" className={getButtonClass('plain')}>
            Billing and invoices
          </Link>
        </p>
      )}
      {isCancelling && billing && (
        <LazyComponent component={lazyCancelDialog} props={{ billing, onClose: closeCancel }} onClose={closeCancel} />
      )}
      {chosen && from && billing && (
        <LazyComponent
          component={lazyChangeDialog}
          props={{ plan: chosen, from, billing, entry, symbol: search.get('add'), onClose: () => setChosen(undefined) }}
          onClose={() => setChosen(undefined)}
        />
      )}
      {current && (demo || isLargest || billing?.payments === null) && (
        <p role="note" className="max-w-prose rounded-control bg-sunken px-4 py-3 text-ink-soft">
          {explainUnchangeablePlan(current, { isDemo: demo !== null, isLargest })}
        </p>
      )}
      {!isPending && (
        <p>
          <Link href="/dashboard" className="link">
            Back to Home
          </Link>
        </p>
      )}
      {!isPending && <LegalLine />}
    </>
  );
}

/** Shows when the paid plan ends or becomes a smaller one, with the button that keeps it. */
function ScheduledChange({ billing, canKeep }: { billing: BillingResponse; canKeep: boolean }) {
  const planAction = usePlanAction();
  const { paid_tier: paid, granted_tier: granted, cancel_at: end, pending_change: pending } = billing;
  if (paid === null || (!end && !pending)) return null;
  return (
    <>
      {pending && <p>{`Changes to ${describePendingPlan(pending.tier, formatDay(pending.at), granted)}`}</p>}
      {end && <p>{`Ends ${describeEnd(formatDay(end), granted)}`}</p>}
      {canKeep && (
        <Button
          className="justify-self-start"
          pending={planAction.isPending}
          onClick={(event) => {
            const tile = event.currentTarget.closest('li');
            planAction.mutate('resume', {
              // The button disappears with the focus.
              onSuccess: () => tile?.focus(),
            });
          }}
        >
          {`Keep ${tierNames[paid]}`}
        </Button>
      )}
    </>
  );
}

function explainUnchangeablePlan(
  current: Tier,
  { isDemo, isLargest }: { isDemo: boolean; isLargest: boolean },
): string {
  if (isDemo) return 'The plan of the shared demo account cannot be changed. Your own account has its own plan.';
  if (isLargest) return `${tierNames[current]} is the largest plan. There is nothing to change here.`;
  return 'Plans are not for sale here.';
}
