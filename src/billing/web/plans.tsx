import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callApi } from '../../web/lib/api.ts';
import { captureEvent } from '../../web/lib/capture-events.ts';
import { useDemoAccount } from '../../web/lib/demo-account.ts';
import { useSearch } from '../../web/lib/location.ts';
import { Failure } from '../../web/ui/failure.tsx';
import { InEveryPlan, PlanCard, PlanPlaces } from './plan-card.tsx';
import { readEntry, reasonWords, tierNames } from './plan-words.ts';

/** The plans beside each other. They cannot be bought yet, and the page says so. */
export function Plans() {
  const demo = useDemoAccount();
  const entry = readEntry(useSearch().get('entry'));
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) => callApi('GET /api/plans', { signal }),
  });
  const current = data?.current;
  useEffect(() => {
    if (current) captureEvent('plans_viewed', { entry, tier: current });
    // Once per visit, with the plan as it was found.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [current]);
  const isLargest = data !== undefined && data.plans.at(-1)?.tier === current;

  return (
    <>
      <div className="grid max-w-prose gap-2">
        <h1 className="text-title font-semibold tracking-tight">Plans</h1>
        <p className="text-lead text-ink-soft">{reasonWords(entry)}</p>
      </div>
      {data ? (
        <ul aria-label="Plans" className="grid gap-4 sm:grid-cols-3 sm:gap-5">
          {data.plans.map((plan) => (
            <PlanCard key={plan.tier} plan={plan} isCurrent={plan.tier === current} />
          ))}
        </ul>
      ) : isPending ? (
        <PlanPlaces />
      ) : (
        <Failure error={error} retry={() => void refetch()} />
      )}
      <InEveryPlan />
      {current && (
        <p role="note" className="max-w-prose rounded-control bg-sunken px-4 py-3 text-ink-soft">
          {demo
            ? 'The plan of the shared demo account stays as it is. An account of your own has a plan of its own.'
            : isLargest
              ? `${tierNames[current]} is the largest plan. There is nothing to change here.`
              : 'Plans cannot be changed here yet: checkout is still to come. ' +
                'Until then your tickers stay saved in their order.'}
        </p>
      )}
    </>
  );
}
