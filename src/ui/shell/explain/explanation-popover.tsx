import { type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { ErrorMessage } from '../../kit/error-message.tsx';
import { formatFigure, formatMoney, formatRate, getSmallAmountDecimals } from '../../kit/formats.ts';
import { IconButton } from '../../kit/icon-button.tsx';
import { MaskedAmount } from '../../kit/masked-amount.tsx';
import { positionPopover } from '../../kit/position-popover.ts';
import { Skeleton } from '../../kit/skeleton.tsx';
import { useStore } from '../../kit/use-store.ts';
import { formatCalendarDay, formatEastern } from '../market/new-york-time.ts';
import { formatQuantity } from '../market/price-formats.ts';
import { privacyMode } from '../session/privacy-mode.ts';
import { type ExplainedFigure, formatFigureName } from './explained-figure.ts';
import { type FigureExplanation, useExplanation } from './use-explanation.ts';

/** Maximum height in pixels. Longer content scrolls. */
const MAX_HEIGHT = 416;

interface ExplanationPopoverProps {
  figure: ExplainedFigure;
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Popover that shows how a figure came about. The browser closes it on Escape and on a press outside. */
export default function ExplanationPopover({ figure, anchor, onClose }: ExplanationPopoverProps) {
  const popover = useRef<HTMLDivElement>(null);
  const id = useId();
  const { data, error, refetch } = useExplanation(figure);
  useOpenPopover(popover, anchor);
  const close = (): void => popover.current?.hidePopover();
  const renderContent = () => {
    if (data) return <Explanation {...data} />;
    if (!error) return <Skeleton lines={4} label="Loading the explanation" />;
    return (
      <ErrorMessage
        error={error}
        retry={() => {
          void refetch();
        }}
      />
    );
  };
  return (
    <div
      ref={popover}
      popover="auto"
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      className="panel explanation"
      onToggle={({ currentTarget, newState }) => {
        if (newState !== 'closed') return;
        // A press on another control has moved the focus there.
        const { activeElement: focused } = document;
        const isFocusElsewhere =
          focused !== null && !currentTarget.contains(focused) && !focused.contains(anchor.current);
        if (!isFocusElsewhere) anchor.current?.focus();
        onClose();
      }}
    >
      <div className="flex items-start justify-between gap-2">
        <h2 id={id} className="py-2 font-semibold">
          {formatFigureName(figure)}
        </h2>
        <IconButton icon="close" label="Close" className="-me-2" onClick={close} />
      </div>
      {renderContent()}
    </div>
  );
}

/** Shows the popover with the focus, and keeps it at its anchor while content loads and the page scrolls. */
function useOpenPopover(popover: RefObject<HTMLElement | null>, anchor: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    popover.current?.showPopover();
    popover.current?.focus({ preventScroll: true });
  }, [popover]);
  // Each render may change the height.
  useLayoutEffect(() => placePopover(popover.current, anchor.current));
  useEffect(() => {
    const place = (): void => placePopover(popover.current, anchor.current);
    addEventListener('scroll', place, { capture: true, passive: true });
    addEventListener('resize', place);
    return () => {
      removeEventListener('scroll', place, { capture: true });
      removeEventListener('resize', place);
    };
  }, [popover, anchor]);
}

/** Positions the popover on the side of its anchor that has more room. Limits its height to this room. */
function placePopover(popover: HTMLElement | null, anchor: HTMLElement | null): void {
  if (!popover || !anchor) return;
  const { top, bottom } = anchor.getBoundingClientRect();
  const room = Math.max(top, window.innerHeight - bottom) - 12;
  popover.style.maxHeight = `${Math.min(MAX_HEIGHT, room)}px`;
  positionPopover(popover, anchor, 'start');
}

function Explanation({ terms, excluded, total, note }: FigureExplanation) {
  return (
    <>
      {total && (
        <p className="pb-2 text-lead font-semibold tracking-tight">
          <span className="sr-only">Total: </span>
          <Amount {...total} />
        </p>
      )}
      {terms.length > 0 && (
        <ul aria-label="Terms" className="divide-y divide-line border-y border-line">
          {terms.map((term, index) => (
            <TermRow key={index} term={term} />
          ))}
        </ul>
      )}
      {terms.length === 0 && !total && <p className="py-1.5 text-ink-soft">There is no figure yet.</p>}
      {note && <p className="py-1 text-ink-soft">{note}</p>}
      {excluded.length > 0 && (
        <section aria-label="Not included" className="pt-2">
          <h3 className="font-medium text-ink-soft">Not included</h3>
          <ul>
            {excluded.map(({ what, amount, currency, reason }, index) => (
              <li key={index} className="flex justify-between gap-4 py-0.5">
                <span className="min-w-0 wrap-anywhere">
                  {what} <span className="text-ink-faint">{`(${reasonLabels[reason]})`}</span>
                </span>
                {amount !== null && <Amount amount={amount} currency={currency} />}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

type Term = FigureExplanation['terms'][number];

const reasonLabels: Readonly<Record<FigureExplanation['excluded'][number]['reason'], string>> = {
  no_price: 'no market price',
  no_change: 'no day change',
  no_cost: 'cost unknown',
  no_rate: 'no exchange rate',
};

/** Names of sources. Another source is shown as it is. */
const sourceLabels: Readonly<Record<string, string>> = {
  fmp: 'Financial Modeling Prep',
  finnhub: 'Finnhub',
  simulator: 'Sample price',
  manual: 'Entered by you',
  bank: 'From your bank',
  brokerage: 'From your brokerage',
};

function TermRow({ term }: { term: Term }) {
  const {
    label,
    amount,
    currency,
    price_at: at,
    source,
    rate,
    rate_date: rateDate,
    price_currency: priceCurrency,
  } = term;
  const sourceName = source === null ? null : (sourceLabels[source] ?? source);
  const sourceText = [sourceName, at !== null && formatEastern(new Date(at))].filter(Boolean).join(', ');
  return (
    <li className="py-1.5">
      <div className="flex justify-between gap-4">
        <span className="min-w-0 wrap-anywhere">{label}</span>
        <Amount amount={amount} currency={currency} />
      </div>
      <div className="text-micro text-ink-faint">
        <Product term={term} />
        {sourceText !== '' && <p>{sourceText}</p>}
        {rate !== null && rateDate !== null && (
          <p>{`1 ${priceCurrency} = ${formatRate(rate)} ${currency} · ${formatCalendarDay(rateDate)}`}</p>
        )}
      </div>
    </li>
  );
}

/** Shows quantity and price of a term, as "10 × $230.00". */
function Product({ term: { quantity, price, price_currency: currency, price_unit: unit } }: { term: Term }) {
  const isHidden = useStore(privacyMode);
  if (quantity === null) return null;
  return (
    <p>
      <MaskedAmount hidden={isHidden} mask="88">
        {formatQuantity(quantity)}
      </MaskedAmount>
      {price !== null && ' × '}
      {price !== null &&
        (unit === 'percent_of_par' ? `${formatFigure(price, 4)}% of par` : formatExact(price, currency))}
    </p>
  );
}

/** Shows an amount with every stored decimal, so that the terms on screen add up. */
function Amount({ amount, currency }: { amount: number; currency: string | null }) {
  const isHidden = useStore(privacyMode);
  return (
    <span className="shrink-0">
      <MaskedAmount hidden={isHidden}>{formatExact(amount, currency)}</MaskedAmount>
    </span>
  );
}

/** Formats an amount with four decimals, or more if it would appear as zero. */
const formatExact = (amount: number, currency: string | null): string =>
  currency === null
    ? formatFigure(amount, 4)
    : formatMoney(amount, currency, Math.max(4, getSmallAmountDecimals(amount) ?? 0));
