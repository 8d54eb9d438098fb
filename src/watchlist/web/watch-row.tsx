import { memo } from 'react';
import { SecurityLogo } from '../../web/ui/security-logo.tsx';
import { formatPrice } from '../../web/lib/price-formats.ts';
import type { ActiveItem } from '../contract.ts';
import { EarningsChip } from './earnings-chip.tsx';
import { LineFigure } from './line-figure.tsx';
import { rowWords } from './row-words.ts';
import type { LineChoice } from './second-line.ts';
import { Sparkline } from './sparkline.tsx';
import { TickerLink } from './ticker-link.tsx';

interface WatchRowProps {
  item: ActiveItem;
  /** The second line, as far as it is spoken. */
  line: LineChoice;
  /** Market days until the next report, where that is within a week. */
  reportDays: number | undefined;
  onCycle: () => void;
  onPoint: () => void;
}

/**
 * One ticker: a link over the whole row that leads to its detail; the figure on the right cycles on a tap. Its height is fixed: rows that
 * are far from the screen are not laid out, and the page must be as long without them.
 */
export const WatchRow = memo(function WatchRow({ item, line, reportDays, onCycle, onPoint }: WatchRowProps) {
  return (
    <li
      className="[content-visibility:auto] relative flex h-15 items-center gap-3 border-t border-line px-4 hover:bg-sunken sm:px-5"
      onPointerEnter={onPoint}
    >
      <SecurityLogo symbol={item.symbol} logo={item.logo} />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-1.5">
          <TickerLink symbol={item.symbol} words={rowWords(item, line, reportDays)} />
          {reportDays !== undefined && (
            <span aria-hidden="true" className="flex">
              <EarningsChip days={reportDays} />
            </span>
          )}
        </p>
        <p aria-hidden="true" className="truncate text-small text-ink-faint">
          {item.name ?? item.symbol}
        </p>
      </div>
      <Sparkline closes={item.closes} />
      <div aria-hidden="true" className="w-22 shrink-0 text-end">
        <p className="whitespace-nowrap font-medium">
          <Price item={item} />
        </p>
        <LineFigure item={item} onCycle={onCycle} />
      </div>
    </li>
  );
});

/** A bond's unit is written small, so that its figure lines up with the others. */
function Price({ item }: { item: ActiveItem }) {
  if (item.price === null) return '–';
  const text = formatPrice(item.price, item);
  const figure = text.replace(/ of par$/, '');
  return (
    <>
      {figure}
      {figure !== text && <span className="text-micro font-normal text-ink-faint"> of par</span>}
    </>
  );
}
