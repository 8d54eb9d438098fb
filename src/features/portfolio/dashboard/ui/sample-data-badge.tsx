import { useQuery } from '@tanstack/react-query';
import { earningsQuery, newsQuery } from './cards/card-queries.ts';
import { portfolioHoldingsQuery } from '../../holdings/ui/holdings-queries.ts';
import { netWorthQuery } from '../../net-worth/ui/net-worth-queries.ts';
import { SampleBadge } from '../../../../ui/shell/layout/sample-badge.tsx';

/** Marks the whole page once as containing simulated figures. It uses the data of the cards. */
export function SampleDataBadge({ isWatchlistSample }: { isWatchlistSample: boolean }) {
  const queries = [
    useQuery({ ...netWorthQuery, enabled: false }),
    useQuery({ ...portfolioHoldingsQuery, enabled: false }),
    useQuery({ ...earningsQuery, enabled: false }),
    useQuery({ ...newsQuery, enabled: false }),
  ];
  if (!isWatchlistSample && !queries.some(({ data }) => data?.sample_data)) return null;
  return <SampleBadge />;
}
