import { createContext, memo, useContext } from 'react';
import { SecurityLogo } from '../../../securities/ui/shared/security-logo.tsx';
import { formatPrice, formatVolume } from '../../../../ui/kit/price-formats.ts';
import { Icon } from '../../../../ui/kit/icon.tsx';
import type { ActiveItem } from '../../contract.ts';
import { isPending } from '../list/item-labels.ts';
import { formatMonthRange } from '../list/month-range.ts';
import { SecurityLink } from '../../../../ui/shell/navigation/security-link.tsx';
import { preloadSecurityPanel } from '../../../../ui/shell/navigation/preload-security-panel.ts';
import { formatRowLabel } from './row-label.ts';
import { toneClasses } from '../../../../ui/kit/price-changes.ts';
import { type LineChoice, formatSecondLine } from '../list/second-line.ts';
import type { ReportWithChip } from '../list/watchlist-query.ts';
import { Sparkline } from './sparkline.tsx';

/** Choice for the line below the price. With a context, a change re-renders only these figures and not the rows. */
export const SecondLineContext = createContext<LineChoice>('percent');

interface WatchRowProps {
  item: ActiveItem;
  /** Line choice for the accessible label. */
  line: LineChoice;
  /** Next report, if the row has an earnings chip. */
  report: ReportWithChip | undefined;
  /** First day of the month in the sparkline and the label. */
  since: string;
  onCycle: () => void;
  /** Opens the alerts of the ticker. Undefined if the member may set none. */
  onAlert: ((item: ActiveItem) => void) | undefined;
}

/** Longer symbols replace the sparkline on a narrow list. */
const LONG_SYMBOL_LENGTH = 6;

/**
 * Shows one ticker as a link over the whole row to its detail. A tap on the right figure cycles the line. The height is
 * fixed: rows outside the viewport are not laid out, and the page must keep its length. On a narrow list the sparkline
 * is dropped first. Symbol and price are never truncated.
 */
export const WatchRow = memo(function WatchRow({ item, line, report, since, onCycle, onAlert }: WatchRowProps) {
  const isWaitingForNetwork = isPending(item) && !navigator.onLine;
  const hasChart = item.asset_type === 'stock' || item.asset_type === 'etf';
  return (
    <li
      className={
        'group [content-visibility:auto] relative flex h-15 items-center gap-2 @min-[22rem]:gap-3 ' +
        'border-t border-line px-4 hover:bg-sunken sm:px-5'
      }
      onPointerEnter={preloadSecurityPanel}
    >
      <SecurityLogo symbol={item.symbol} logo={item.logo} />
      <div className="min-w-0 flex-1">
        <p className="whitespace-nowrap">
          <TickerLink
            symbol={item.symbol}
            label={`${formatRowLabel(item, line, report, since)}${isWaitingForNetwork ? ', pending (offline)' : ''}`}
          />
          {onAlert && <AlertButton item={item} onAlert={onAlert} />}
        </p>
        <p aria-hidden="true" className="flex min-w-0 items-center gap-1.5 text-ink-faint">
          {isWaitingForNetwork && <span className="shrink-0 text-small text-warn">Pending (offline)</span>}
          {report && <EarningsChip text={report.chip} />}
          {/* Names of bonds and funds differ in their last words, and these rows have no sparkline. */}
          <span className={hasChart ? 'truncate text-small' : 'line-clamp-2 text-micro'}>
            {item.name ?? item.symbol}
          </span>
        </p>
      </div>
      {hasChart && (
        <Sparkline
          closes={item.closes}
          since={since}
          className={
            'hidden h-6.5 w-12 shrink-0 @min-[22rem]:block @min-[22rem]:w-18 @min-[34rem]:w-30 ' +
            (item.symbol.length > LONG_SYMBOL_LENGTH ? '' : '@min-[19rem]:block')
          }
        />
      )}
      {hasChart && <WideFigures item={item} since={since} />}
      <div aria-hidden="true" className="min-w-20 shrink-0 text-end @min-[22rem]:min-w-22">
        <p className="whitespace-nowrap font-medium">
          <Price item={item} />
        </p>
        <LineFigure item={item} onCycle={onCycle} />
      </div>
    </li>
  );
});

/**
 * Shows the figure below the price, for pointers only. Keyboard and screen-reader users use the button above the
 * column. The figure takes no focus.
 */
const LineFigure = memo(function LineFigure({ item, onCycle }: { item: ActiveItem; onCycle: () => void }) {
  const { text, direction } = formatSecondLine(item, useContext(SecondLineContext));
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`relative -me-1.5 rounded-control px-1.5 text-small font-medium hover:bg-surface ${toneClasses[direction]}`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onCycle}
    >
      {text}
    </button>
  );
});

/** Shows the figures next to the price on a wide list. The panel shows them too. */
function WideFigures({ item, since }: { item: ActiveItem; since: string }) {
  const figures = [
    ['Month', formatMonthRange(item, since), 'w-48'],
    ['Volume', item.volume === null ? undefined : formatVolume(item.volume), 'w-20'],
    ['Market cap', item.market_cap === null ? undefined : formatSecondLine(item, 'cap').text, 'w-24'],
  ] as const;
  return figures.map(([label, text, width]) => (
    <p key={label} aria-hidden="true" className={`hidden shrink-0 text-end @min-[56rem]:block ${width}`}>
      <span className="block text-small text-ink-soft">{text ?? '–'}</span>
      <span className="block text-micro text-ink-faint">{label}</span>
    </p>
  ));
}

/** Shows the price. A bond's unit is small, so that its figure lines up with the others. */
export function Price({ item }: { item: ActiveItem }) {
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

/** Shows that a company reports within seven market days. The row's label contains the full text. */
export function EarningsChip({ text }: { text: string | null }) {
  return (
    <span className="shrink-0 rounded-full bg-warn-soft px-1.5 forced-colors:border text-micro font-medium text-warn">
      {text}
    </span>
  );
}

/**
 * Opens the alerts of a row, for pointers that hover. It takes no focus: the keyboard has a key for it, which it names in
 * the row with the focus, and a touch screen has the panel.
 */
export const AlertButton = ({ item, onAlert }: { item: ActiveItem; onAlert: (item: ActiveItem) => void }) => (
  <button
    type="button"
    tabIndex={-1}
    aria-label={`Set alert for ${item.symbol}`}
    title="Set alert"
    className={
      'invisible relative ms-1.5 -my-1 inline-flex h-6 min-w-6 items-center justify-center gap-1 rounded-control align-middle ' +
      'text-ink-faint hover:bg-surface hover:text-ink group-hover:visible pointer-fine:peer-focus:visible pointer-fine:peer-focus:[&>kbd]:inline'
    }
    onClick={() => onAlert(item)}
  >
    <Icon name="bell" size={14} />
    <kbd aria-hidden="true" className="hidden font-mono text-micro">
      A
    </kbd>
  </button>
);

/** Links a symbol to its detail. The link covers the whole row. `label` replaces the symbol for screen readers. */
export function TickerLink({ symbol, label }: { symbol: string; label: string }) {
  return (
    <SecurityLink
      symbol={symbol}
      data-symbol={symbol}
      // The list sets one row as its tab stop. The arrow keys move between the rows.
      tabIndex={-1}
      aria-label={label}
      className={
        "peer font-semibold outline-none after:absolute after:inset-0 after:content-[''] " +
        'focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent'
      }
    >
      {symbol}
    </SecurityLink>
  );
}
