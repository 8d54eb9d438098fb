import { useQuery } from '@tanstack/react-query';
import { earningsQuery, newsQuery } from './cards/card-queries.ts';
import { portfolioHoldingsQuery } from '../../holdings/ui/holdings-queries.ts';
import { netWorthQuery } from '../../net-worth/ui/net-worth-queries.ts';
import { Badge } from '../../../../ui/kit/badge.tsx';

/** Marks the whole page once as containing simulated figures. It uses the data of the cards. */
export function SampleDataBadge({ isWatchlistSample }: { isWatchlistSample: boolean }) {
  const queries = [
    useQuery({ ...netWorthQuery, enabled: false }),
    useQuery({ ...portfolioHoldingsQuery, enabled: false }),
    useQuery({ ...earningsQuery, enabled: false }),
    useQuery({ ...newsQuery, enabled: false }),
  ];
  if (!isWatchlistSample && !queries.some(({ data }) => data?.sample_data)) return null;
  return (
    <Badge tone="warn">
      Sample<span className="whitespace-pre max-[24rem]:sr-only"> data</span>
    </Badge>
  );
}
