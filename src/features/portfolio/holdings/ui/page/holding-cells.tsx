import type { ReactNode } from 'react';
import { formatChange, formatMoney, formatPercent } from '../../../../../ui/kit/formats.ts';
import { Explained } from '../../../explain/ui/explained.tsx';
import type { ExplainedFigure, HoldingTarget } from '../../../explain/ui/explained-figure.ts';
import { MissingFigure } from '../../../../../ui/kit/missing-figure.tsx';
import { MaskedAmount } from '../../../../../ui/kit/masked-amount.tsx';
import { getTrendClass } from '../../../../../ui/kit/price-changes.ts';
import {
  formatAmount,
  formatPriceOf,
  formatQuantity,
  formatSignedAmount,
} from '../../../../../ui/kit/price-formats.ts';
import type { PortfolioHolding } from '../../contract.ts';
import { calculateWeight } from './calculate-figures.ts';
import { calculateHoldingYields, type Incomes } from './calculate-holding-yields.ts';
import type { HoldingGroup } from './group-holdings.ts';
import { listIds } from './list-ids.ts';
import type { ShownHolding } from './round-holdings.ts';
import { getMissingChangeReason } from '../holding-changes.tsx';

/** Values that the figures of every row need. */
export interface CellContext {
  /** Base currency. */
  currency: string;
  /** Value of the whole portfolio in the base currency before rounding, as decimal text. Null if nothing can be converted. */
  whole: string | null;
  /** Whether accounts have cash, which no group contains. */
  hasCash: boolean;
  privacy: boolean;
  /** Income of the next twelve months by the id of the holding, in the base currency. */
  incomes: Incomes;
}

interface HoldingCellProps {
  holding: ShownHolding;
  context: CellContext;
}

/** Shows the price above the quantity. The unit of a bond is small, so that figures line up. */
export function PriceFigure({ holding, context }: HoldingCellProps) {
  const { price, quantity, position } = holding;
  const unit = position ? { ...holding, currency: position.priceCurrency } : holding;
  const text = price === null ? null : formatPriceOf(price, unit, [quantity]);
  return (
    <>
      <span className="block whitespace-nowrap">
        {text === null ? (
          <MissingFigure reason={holding.symbol === null ? 'Not listed' : 'No price yet'} />
        ) : (
          text.replace(/ of par$/, '')
        )}
        {text?.endsWith(' of par') && <span className="text-micro text-ink-faint"> of par</span>}
      </span>
      <span className="block text-micro whitespace-nowrap text-ink-faint">
        <span aria-hidden="true">× </span>
        <span className="sr-only">Quantity </span>
        <MaskedAmount hidden={context.privacy} mask="88">
          {formatQuantity(quantity)}
        </MaskedAmount>
      </span>
    </>
  );
}

/** Shows the value in the listing's currency, and below it in the base currency if that is another one. */
export function ValueFigure({ holding, context }: HoldingCellProps) {
  const { value, currency, base, shown, position } = holding;
  if (value === null) return <MissingFigure reason="No price yet" />;
  return (
    <>
      <span className="block leading-6 font-medium whitespace-nowrap">
        <Explained figure={{ ...getTarget(holding), figure: 'value', shown: value }}>
          <MaskedAmount hidden={context.privacy}>{formatAmount(value, currency)}</MaskedAmount>
        </Explained>
      </span>
      {position?.partial.value && <PartlyKnown />}
      {currency !== context.currency && (
        <span className="block text-micro leading-6 whitespace-nowrap text-ink-faint">
          {base ? (
            <Explained
              figure={{ ...getSelection([holding.id], getTitle(holding)), figure: 'value', shown: shown.value }}
            >
              <MaskedAmount hidden={context.privacy}>
                {formatMoney(shown.value ?? base.value, context.currency)}
              </MaskedAmount>
            </Explained>
          ) : (
            'no rate'
          )}
        </span>
      )}
    </>
  );
}

/** Shows the day change of a holding. */
export const DayFigure = ({ holding, context }: HoldingCellProps) => (
  <>
    <ChangeFigure
      figure={holding.symbol === null ? undefined : { ...getTarget(holding), figure: 'change' }}
      amount={holding.change_amount}
      percent={holding.change_1d}
      currency={holding.currency}
      reason={getMissingChangeReason(holding)}
      privacy={context.privacy}
    />
    <BaseFigure holding={holding} context={context} amount={holding.shown.change} />
  </>
);

/** Shows the total gain of a holding. */
export const GainFigure = ({ holding, context }: HoldingCellProps) => (
  <>
    <ChangeFigure
      figure={{ ...getTarget(holding), figure: 'gain' }}
      amount={holding.gain?.amount ?? null}
      percent={holding.gain?.percent ?? null}
      currency={holding.currency}
      reason={holding.value === null ? 'No price yet' : 'Cost unknown'}
      privacy={context.privacy}
    />
    {holding.position?.partial.gain && <PartlyKnown />}
    <BaseFigure holding={holding} context={context} amount={holding.shown.gain} />
  </>
);

/** Says that a figure omits a part of a position. */
const PartlyKnown = () => <span className="block text-micro text-ink-faint">Partly known</span>;

/** Returns the target of a row's explanations. An unlisted holding has none of its day change. */
export const getTarget = (holding: ShownHolding): HoldingTarget =>
  holding.position
    ? getSelection(holding.position.ids, getTitle(holding))
    : { of: 'holding', id: holding.id, name: getTitle(holding) };

/** Names a holding with its account, or a position. */
export const getTitle = ({ symbol, name, account_name: account, position }: ShownHolding): string =>
  position ? (symbol ?? name) : `${symbol ?? name} in ${account}`;

/** Shows the share of a row in the portfolio's value. */
export const HoldingWeight = ({ holding, context: { whole } }: HoldingCellProps) => (
  <WeightFigure
    weight={holding.position ? holding.position.weight : calculateWeight(holding, whole)}
    reason={getMissingWeightReason(holding)}
    ids={holding.position?.ids ?? [holding.id]}
    name={getTitle(holding)}
  />
);

/** Returns the target of holdings in the base currency. */
const getSelection = (ids: readonly string[], name: string): HoldingTarget => ({ of: 'selection', ids, name });

interface BaseFigureProps extends HoldingCellProps {
  /** Amount in the base currency. */
  amount: number | null | undefined;
}

/** Shows a change in the base currency if that is not the holding's. */
export const BaseFigure = ({ holding, context: { currency, privacy }, amount }: BaseFigureProps) =>
  holding.currency !== currency &&
  amount != null && (
    <span className="block text-micro whitespace-nowrap text-ink-faint">
      <MaskedAmount hidden={privacy} mask="+$888.88">
        {formatSignedAmount(amount, currency)}
      </MaskedAmount>
    </span>
  );

interface ChangeFigureProps {
  figure?: ExplainedFigure | undefined;
  amount: number | null;
  percent: number | null;
  currency: string | null;
  /** Reason for a missing amount. */
  reason: string;
  privacy: boolean;
}

/** Shows a change in money above its percentage, or a dash with the reason. */
function ChangeFigure({ figure, amount, percent, currency, reason, privacy }: ChangeFigureProps) {
  if (amount === null)
    return (
      <Explained figure={figure}>
        <MissingFigure reason={reason} />
      </Explained>
    );
  const toneClass = getTrendClass(amount);
  return (
    <>
      <span className={`block whitespace-nowrap ${toneClass}`}>
        <Explained figure={figure && { ...figure, shown: amount }}>
          <MaskedAmount hidden={privacy} mask="+$888.88">
            {formatSignedAmount(amount, currency)}
          </MaskedAmount>
        </Explained>
      </span>
      <span className={`block text-micro whitespace-nowrap ${toneClass}`}>
        {percent === null ? <MissingFigure reason="No percentage" /> : formatChange(percent)}
      </span>
    </>
  );
}

interface WeightFigureProps {
  weight: number | null;
  /** Reason for a missing weight. */
  reason: string;
  /** Ids and name of the holdings. */
  ids: readonly string[];
  name: string;
}

/** Shows the share of the portfolio's value. */
export const WeightFigure = ({ weight, reason, ids, name }: WeightFigureProps) =>
  weight === null ? (
    <MissingFigure reason={reason} />
  ) : (
    <Explained figure={{ of: 'share', ids, name }}>{formatPercent(weight)}</Explained>
  );

interface YieldFigureProps {
  holdings: readonly PortfolioHolding[];
  context: CellContext;
}

/** Shows the yield of holdings on their value above that on their cost. */
export function YieldFigure({ holdings, context }: YieldFigureProps) {
  const { yield_on_value: onValue, yield_on_cost: onCost } = calculateHoldingYields(holdings, context.incomes);
  if (onValue === null) return <MissingFigure reason="No dividends known" />;
  return (
    <>
      <span className="block whitespace-nowrap">{formatPercent(onValue)}</span>
      <span className="block text-micro whitespace-nowrap text-ink-faint">
        {onCost === null ? <MissingFigure reason="Cost unknown" /> : `${formatPercent(onCost)} on cost`}
      </span>
    </>
  );
}

/** Returns why a holding has no weight. */
const getMissingWeightReason = ({ value }: Pick<PortfolioHolding, 'value'>): string =>
  value === null ? 'No price yet' : 'No exchange rate';

interface TotalFigureProps {
  group: HoldingGroup;
  privacy: boolean;
}

/** Returns the target of a group's explanations. */
export const getGroupTarget = ({ holdings, label }: HoldingGroup): HoldingTarget =>
  getSelection(listIds(holdings), label);

/** Shows the value of a group, and how many of its holdings have no price. */
export const TotalValue = ({ group, group: { totals }, privacy }: TotalFigureProps) => (
  <>
    <span className="block font-semibold whitespace-nowrap">
      {totals?.value == null ? (
        <MissingFigure reason="No price yet" />
      ) : (
        <Explained figure={{ ...getGroupTarget(group), figure: 'value', shown: totals.value }}>
          <MaskedAmount hidden={privacy}>{formatMoney(totals.value, totals.currency)}</MaskedAmount>
        </Explained>
      )}
    </span>
    <Omitted count={totals?.without_price}>without price</Omitted>
  </>
);

/** Shows the day change of a group, and how many of its holdings have none. */
export const TotalDay = ({ group, group: { totals }, privacy }: TotalFigureProps) => (
  <>
    <ChangeFigure
      figure={{ ...getGroupTarget(group), figure: 'change' }}
      amount={totals?.change_amount ?? null}
      percent={totals?.change_percent ?? null}
      currency={totals?.currency ?? null}
      reason="No day change known"
      privacy={privacy}
    />
    <Omitted count={totals?.without_change}>without day change</Omitted>
  </>
);

/** Shows the gain of a group, and how many of its holdings have no cost. */
export const TotalGainFigure = ({ group, group: { totals }, privacy }: TotalFigureProps) => (
  <>
    <ChangeFigure
      figure={{ ...getGroupTarget(group), figure: 'gain' }}
      amount={totals?.gain?.amount ?? null}
      percent={totals?.gain?.percent ?? null}
      currency={totals?.currency ?? null}
      reason="Cost unknown"
      privacy={privacy}
    />
    <Omitted count={totals?.without_cost}>without cost</Omitted>
  </>
);

/** Says how many holdings a figure leaves out. */
const Omitted = ({ count = 0, children }: { count?: number | undefined; children: ReactNode }) =>
  count > 0 && (
    <span className="block text-micro font-normal text-ink-faint">
      {count} {children}
    </span>
  );
