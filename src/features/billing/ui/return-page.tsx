import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { navigate, usePlace } from '../../../ui/shell/navigation/location.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { Queries } from '../../../ui/shell/api/queries.tsx';
import { buttonClass } from '../../../ui/kit/button.tsx';
import { Failure } from '../../../ui/kit/failure.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import { forgetAfterCheckout, readAfterCheckout } from './after-checkout.ts';
import { tierNames } from './plan-words.ts';

/** `/plans/return/<checkout>`: where the payment page sends the browser. */
export default function ReturnPage() {
  const checkout = usePlace().path.split('/')[3];
  return (
    <div className="mx-auto max-w-settings">
      <Queries>{checkout === undefined ? <NotYours /> : <Return checkout={checkout} />}</Queries>
    </div>
  );
}

/** A payment that is not there yet is looked for again, this often and this many times. */
const AGAIN_MS = 2_000;
const MOST_POLLS = 15;

function Return({ checkout }: { checkout: string }) {
  const queries = useQueryClient();
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['checkout', checkout],
    queryFn: async ({ signal }) => callApi('POST /api/billing/sync', { body: { checkout_id: checkout }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      state.data?.checkout?.status === 'open' && state.dataUpdateCount < MOST_POLLS && AGAIN_MS,
  });
  const isComplete = data?.checkout?.status === 'complete';
  const tier = data?.tier;
  useEffect(() => {
    if (!isComplete || !tier) return;
    void finish(tierNames[tier]).then(() => queries.invalidateQueries());
  }, [isComplete, tier, queries]);
  if (error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'INVALID_REQUEST'))
    return <NotYours />;
  if (error)
    return (
      <Shown key={dataUpdatedAt} title="We cannot say yet what became of it">
        <p className="text-ink-soft">What you paid is not lost, and nothing is charged twice.</p>
        <Failure error={error} retry={() => void refetch()} />
      </Shown>
    );
  if (data?.checkout?.status === 'expired' || data?.checkout?.status === 'open')
    return (
      <Shown title="Nothing was paid">
        <p className="text-ink-soft">Your plan is as it was. You can begin again whenever you like.</p>
        <ToPlans />
      </Shown>
    );
  return (
    <Shown title="Looking at your payment" waits>
      <p className="text-ink-soft">This takes a moment. You can leave this page: nothing is lost.</p>
    </Shown>
  );
}

/** Adds what was wanted and leads back to where the member was, once. */
async function finish(plan: string): Promise<void> {
  const { to, symbol } = readAfterCheckout();
  forgetAfterCheckout();
  const isAdded =
    symbol !== null &&
    (await callApi('POST /api/watchlist', { body: { symbol } }).then(
      () => true,
      (error: unknown) => error instanceof ApiError && error.code === 'ALREADY_WATCHED',
    ));
  navigate(to, { replace: true });
  showToast(`You are on ${plan} now.${isAdded ? ` ${symbol} is on your watchlist.` : ''}`, 'good');
  if (symbol !== null && !isAdded) showToast(`${symbol} was not added. Try it once more from your watchlist.`, 'bad');
}

const NotYours = () => (
  <Shown title="There is nothing to finish here">
    <p className="text-ink-soft">This address belongs to no checkout that you have begun in this account.</p>
    <ToPlans />
  </Shown>
);

const ToPlans = () => (
  <Link href="/plans" className={buttonClass('primary', 'justify-self-start')}>
    See the plans
  </Link>
);

/** One state of the page, read aloud when it comes. */
const Shown = ({ title, waits = false, children }: { title: string; waits?: boolean; children: ReactNode }) => (
  <section role="status" data-waiting={waits || undefined} className="card grid gap-4 p-5 sm:p-6">
    <h1 className="text-title font-semibold tracking-tight">{title}</h1>
    {children}
  </section>
);
