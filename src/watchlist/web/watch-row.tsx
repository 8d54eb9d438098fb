import { memo } from 'react';
import { SecurityLogo } from '../../web/ui/security-logo.tsx';
import { formatPrice } from '../../web/lib/price-formats.ts';
import type { ActiveItem } from '../contract.ts';
import { EarningsChip } from './earnings-chip.tsx';
import { rowWords } from './row-words.ts';
import type { LineChoice } from './second-line.ts';
import { secondLine } from './second-line.ts';
import { Sparkline } from './sparkline.tsx';
import { TickerLink } from './ticker-link.tsx';

interface WatchRowProps {
  item: ActiveItem;
  line: LineChoice;
  /** Market days until the next report, where that is within a week. */
  reportDays: number | undefined;
  onCycle: () => void;
  onPoint: () => void;
}

const tone = { up: 'text-gain', down: 'text-loss', none: 'text-ink-faint' } as const;

/** One ticker: a link over the whole row that leads to its detail; the figure on the right cycles on a tap. */
export const WatchRow = memo(function WatchRow({ item, line, reportDays, onCycle, onPoint }: WatchRowProps) {
  const second = secondLine(item, line);
  return (
    <li className="[content-visibility:auto] [contain-intrinsic-size:auto_3.75rem] group relative has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent flex items-center gap-3 border-t border-line px-4 py-1.5 hover:bg-sunken sm:px-5" onPointerEnter={onPoint}>
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
        {/* For pointers alone: by keyboard and for screen readers the button above the column does the same. It takes no focus. */}
        <button
          type="button"
          tabIndex={-1}
          className={`relative -me-1.5 rounded-control px-1.5 text-small font-medium hover:bg-surface ${tone[second.direction]}`}
          onMouseDown={(event) => event.preventDefault()}
          onClick={onCycle}
        >
          {second.text}
        </button>
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
