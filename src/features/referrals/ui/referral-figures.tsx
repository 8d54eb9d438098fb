import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import { formatInteger } from '../../../ui/kit/formats.ts';
import { Card } from '../../../ui/kit/card.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { MonthTable } from './month-table.tsx';

/**
 * Shows the numbers of sign-ups and completed referrals in total and by month. `isAlone` is true if no other part of
 * the page shows a loading state.
 */
export function ReferralFigures({ isAlone }: { isAlone: boolean }) {
  const stats = useQuery({
    queryKey: ['referrals', 'stats'],
    queryFn: ({ signal }) => callApi('GET /api/referrals/stats', { signal }),
    staleTime: 0,
  });
  const history = useQuery({
    queryKey: ['referrals', 'history'],
    queryFn: ({ signal }) => callApi('GET /api/referrals/history', { signal }),
    staleTime: 0,
  });
  const error = stats.error ?? history.error;
  const retry = (): void => {
    void Promise.all([stats.refetch(), history.refetch()]);
  };
  return (
    <Card title="Your referrals">
      {/* Earlier data stay visible when a later read fails. */}
      {error && <ErrorMessage error={error} retry={retry} />}
      {!error && !(stats.data && history.data) && (
        <Skeleton lines={4} label={isAlone ? 'Loading your referrals' : null} />
      )}
      {stats.data && history.data && (
        <div className="grid gap-5">
          <dl className="flex flex-wrap gap-x-12 gap-y-3">
            <Figure name="Signed up" value={stats.data.total_signups} />
            <Figure name="Completed" value={stats.data.completed_referrals} />
          </dl>
          {stats.data.total_signups === 0 ? (
            <p className="text-ink-soft">No sign-ups yet.</p>
          ) : (
            <MonthTable months={history.data.months} />
          )}
        </div>
      )}
    </Card>
  );
}

const Figure = ({ name, value }: { name: string; value: number }) => (
  <div className="flex flex-col-reverse">
    <dt className="text-small text-ink-faint">{name}</dt>
    <dd className="text-figure font-semibold tracking-tight">{formatInteger(value)}</dd>
  </div>
);
