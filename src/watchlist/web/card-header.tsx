import type { Watchlist } from '../contract.ts';
import { marketLine } from './market-line.ts';

/** Under the title: where the US session stands, and how new the newest price is. */
export function MarketStatus({ list }: { list: Watchlist }) {
  const { session, isOpen, newest } = marketLine(list);
  const active = list.items.flatMap((item) => (item.locked ? [] : [item]));
  const delayed = Math.max(0, ...active.map(({ delayed_minutes: minutes }) => minutes));
  return (
    <p className="flex min-h-5 flex-wrap items-center gap-x-2 gap-y-1 text-small text-ink-faint">
      {session !== null && (
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden="true" className={`size-1.5 rounded-full ${isOpen ? 'bg-gain' : 'bg-line-strong'}`} />
          {session}
        </span>
      )}
      {newest !== null && (
        <time dateTime={newest.iso} className="whitespace-nowrap">
          {newest.text}
        </time>
      )}
      {delayed > 0 && <span className="whitespace-nowrap">{`up to ${delayed} min late`}</span>}
    </p>
  );
}
