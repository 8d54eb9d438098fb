import { useQuery } from '@tanstack/react-query';
import { earnings, news } from '../cards/card-queries.ts';
import { netWorth, positions } from '../card-queries.ts';
import { Badge } from '../../../../ui/kit/badge.tsx';

/** Says once for the whole page that figures on it are the simulator's. It reads what the cards have read. */
export function SampleMark({ watchlistIsSample }: { watchlistIsSample: boolean }) {
  const answers = [
    useQuery({ ...netWorth, enabled: false }),
    useQuery({ ...positions, enabled: false }),
    useQuery({ ...earnings, enabled: false }),
    useQuery({ ...news, enabled: false }),
  ];
  if (!watchlistIsSample && !answers.some(({ data }) => data?.sample_data)) return null;
  return (
    <Badge tone="warn">
      Sample<span className="whitespace-pre max-[24rem]:sr-only"> data</span>
    </Badge>
  );
}
