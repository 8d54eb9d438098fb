import { memo } from 'react';
import { navigate } from '../../web/lib/location.ts';
import { SecurityLogo } from '../../web/ui/security-logo.tsx';
import { formatPrice } from '../../web/lib/price-formats.ts';
import type { ActiveItem } from '../contract.ts';
import { LineFigure } from './line-figure.tsx';
import { chipText, rowWords } from './row-words.ts';
import type { LineChoice } from './second-line.ts';
import { Sparkline } from './sparkline.tsx';
import { tickerLink } from './ticker-address.ts';

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
 * One ticker: a link over the whole row that leads to its detail; the figure on the right cycles on a tap. Its height
 * is fixed: rows that are far from the screen are not laid out, and the page must be as long without them.
 */
export const WatchRow = memo(function WatchRow({ item, line, reportDays, onCycle, onPoint }: WatchRowProps) {
  return (
    <li
      className={
        '[content-visibility:auto] relative flex h-15 items-center gap-3 ' +
        'border-t border-line px-4 hover:bg-sunken sm:px-5'
      }
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

/** A company that reports within seven days, counted in market days. The row's words say it in full. */
function EarningsChip({ days }: { days: number }) {
  return <span className="rounded-full bg-warn-soft px-1.5 text-micro font-medium text-warn">{chipText(days)}</span>;
}

/**
 * A symbol that leads to its detail; its area is the whole row. `words` are what is heard instead of the symbol alone.
 */
function TickerLink({ symbol, words }: { symbol: string; words: string }) {
  const href = tickerLink(symbol);
  return (
    <a
      href={href}
      aria-label={words}
      className={
        "truncate font-semibold outline-none after:absolute after:inset-0 after:content-[''] " +
        'focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent'
      }
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        navigate(href, { keepScroll: true });
      }}
    >
      {symbol}
    </a>
  );
}
