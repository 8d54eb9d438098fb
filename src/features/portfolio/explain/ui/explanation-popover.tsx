import { type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import { formatRate } from '../../../../ui/kit/formats.ts';
import { IconButton } from '../../../../ui/kit/icon-button.tsx';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import { positionPopover } from '../../../../ui/kit/position-popover.ts';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { useStore } from '../../../../ui/kit/use-store.ts';
import { formatCalendarDay, formatEastern } from '../../../../ui/kit/new-york-time.ts';
import { formatAmount, formatPriceOf, formatQuantity, formatSignedAmount } from '../../../../ui/kit/price-formats.ts';
import { privacyMode } from '../../../../ui/shell/session/privacy-mode.ts';
import { type ExplainedFigure, formatFigureName } from './explained-figure.ts';
import type { FigureExplanation } from './select-explanation.ts';
import { useExplanation } from './use-explanation.ts';

/** Maximum height in pixels. Longer content scrolls. */
const MAX_HEIGHT = 416;
/** Room in pixels between the popover and the edge of the window. */
const MARGIN = 12;

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
    if (data) return <Explanation {...data} hasPriceChanges={'figure' in figure && figure.figure === 'change'} />;
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
        // The focus returns to the anchor, unless a press on another control has moved it there. If no control has it, the
        // active element is the page, which contains the anchor.
        const { activeElement: focused } = document;
        const isOtherControl =
          focused !== null && !currentTarget.contains(focused) && !focused.contains(anchor.current);
        if (!isOtherControl) anchor.current?.focus();
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
  const room = Math.max(top, window.innerHeight - bottom) - MARGIN;
  popover.style.maxHeight = `${Math.min(MAX_HEIGHT, room)}px`;
  positionPopover(popover, anchor, 'start');
}

interface ExplanationProps extends FigureExplanation {
  /** Whether the prices of terms are changes, which have a sign. */
  hasPriceChanges: boolean;
}

function Explanation({ terms, excluded, total, note, isChange, beyondGain, hasPriceChanges }: ExplanationProps) {
  return (
    <>
      {total && (
        <p className="pb-2 text-lead font-semibold tracking-tight">
          <span className="sr-only">Total: </span>
          <Amount {...total} isChange={isChange} />
        </p>
      )}
      {terms.length > 0 && (
        <ul aria-label="Terms" className="divide-y divide-line border-y border-line">
          {terms.map((term, index) => (
            <TermRow key={index} term={term} isChange={isChange} hasPriceChanges={hasPriceChanges} />
          ))}
        </ul>
      )}
      {total && beyondGain.length > 0 && (
        <ul aria-label="Beyond the gain" className="py-1">
          {beyondGain.map(({ label, amount }) => (
            <li key={label} className="flex justify-between gap-4">
              <span>{label}</span>
              <Amount amount={amount} currency={total.currency} isChange />
            </li>
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

interface TermRowProps {
  term: Term;
  isChange: boolean;
  hasPriceChanges: boolean;
}

function TermRow({ term, isChange, hasPriceChanges }: TermRowProps) {
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
        <Amount amount={amount} currency={currency} isChange={isChange} />
      </div>
      <div className="text-micro text-ink-faint">
        <QuantityAndPrice term={term} isPriceChange={hasPriceChanges} />
        {sourceText !== '' && <p>{sourceText}</p>}
        {rate !== null && rateDate !== null && (
          <p>
            {`1 ${priceCurrency} = ${formatRate(rate, [getAmountBeforeConversion(term, rate)], currency ?? '')} `}
            {`${currency} · ${formatCalendarDay(rateDate)}`}
          </p>
        )}
      </div>
    </li>
  );
}

/** Returns the amount that a rate converts: quantity times price, or else the converted amount divided by the rate. */
const getAmountBeforeConversion = ({ quantity, price, price_unit: unit, amount }: Term, rate: number): number =>
  quantity !== null && price !== null ? (quantity * price) / (unit === 'percent_of_par' ? 100 : 1) : amount / rate;

/** Shows quantity and price of a term, as "10 × $230.00". The price has as many digits as the amount needs. */
function QuantityAndPrice({ term, isPriceChange }: { term: Term; isPriceChange: boolean }) {
  const isHidden = useStore(privacyMode);
  const { quantity, price, price_currency: currency, price_unit: unit, rate } = term;
  if (quantity === null) return null;
  const multipliers = [quantity, quantity * (rate ?? 1)];
  return (
    <p>
      <MaskedAmount hidden={isHidden} mask="88">
        {formatQuantity(quantity)}
      </MaskedAmount>
      {price !== null && unit !== null && (
        <>
          {' × '}
          {isPriceChange && price > 0 && '+'}
          {formatPriceOf(price, { currency, price_unit: unit }, multipliers)}
        </>
      )}
    </p>
  );
}

interface AmountProps {
  amount: number;
  currency: string | null;
  isChange?: boolean;
}

/** Shows an amount of money. A change has a sign. */
function Amount({ amount, currency, isChange = false }: AmountProps) {
  const isHidden = useStore(privacyMode);
  return (
    <span className="shrink-0">
      <MaskedAmount hidden={isHidden}>{(isChange ? formatSignedAmount : formatAmount)(amount, currency)}</MaskedAmount>
    </span>
  );
}
