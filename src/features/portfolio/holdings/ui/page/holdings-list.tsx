import { memo } from 'react';
import { joinTabStops } from '../../../../../ui/kit/join-tab-stops.ts';
import { formatPercent } from '../../../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../../../ui/kit/masked-amount.tsx';
import { Explained } from '../../../explain/ui/explained.tsx';
import { formatPriceOf, formatQuantity } from '../../../../../ui/kit/price-formats.ts';
import { DayChange, TotalGain } from '../holding-changes.tsx';
import { TotalDayChange, TotalsGain } from '../totals-changes.tsx';
import { calculateGroupWeight, calculateWeight } from './calculate-figures.ts';
import { calculateHoldingYields } from './calculate-holding-yields.ts';
import { countHoldings, type HoldingGroup } from './group-holdings.ts';
import { listIds } from './list-ids.ts';
import type { ShownHolding } from './round-holdings.ts';
import {
  type CellContext,
  BaseFigure,
  getGroupTarget,
  getTarget,
  getTitle,
  TotalValue,
  ValueFigure,
} from './holding-cells.tsx';
import { HoldingName } from './holding-name.tsx';
import { formatGroupSize, type HoldingRowsProps } from './holdings-table.tsx';
import type { Column } from './portfolio-view.ts';
import { type ListPlace, RowBlocks } from './row-blocks.tsx';
import { UnconvertedAmounts } from './unconverted-amounts.tsx';

/** Shows the holdings as rows of three lines, for screens without room for a table. */
export const HoldingsList = memo(function HoldingsList(props: HoldingRowsProps) {
  const { groups, hasHeadings, columns, context } = props;
  return groups.map((group, position) => (
    <section key={position} aria-label={hasHeadings ? group.label : undefined}>
      {hasHeadings && <GroupHeading group={group} columns={columns} context={context} />}
      <div role="list" aria-label={hasHeadings ? `Holdings, ${group.label}` : 'Holdings'}>
        <RowBlocks
          rows={group.holdings}
          total={countHoldings(groups)}
          rowsAbove={countHoldings(groups.slice(0, position))}
          getHeight={() => (columns.includes('yield') ? 8.25 : 6.75)}
        >
          {/* On a new sort, rows keep their elements and change their contents, as in the table. */}
          {(holding, index) => (
            <ListRow
              key={index}
              holding={holding}
              columns={columns}
              context={context}
              aria-posinset={index + 1}
              aria-setsize={group.holdings.length}
            />
          )}
        </RowBlocks>
      </div>
    </section>
  ));
});

interface GroupHeadingProps {
  group: HoldingGroup;
  columns: readonly Column[];
  context: CellContext;
}

function GroupHeading({ group, columns, context }: GroupHeadingProps) {
  const { whole, privacy } = context;
  const { totals } = group;
  const weight = calculateGroupWeight(group, whole);
  const yields = formatYields(group.holdings, columns, context);
  return (
    <div ref={joinTabStops} className="border-t border-line bg-sunken px-4 py-2 sm:px-5">
      <div className="flex items-baseline justify-between gap-3 leading-6">
        <h2 className="min-w-0 truncate font-semibold">{group.label}</h2>
        {columns.includes('value') && (
          <div className="shrink-0 text-end">
            <TotalValue group={group} privacy={privacy} />
          </div>
        )}
      </div>
      <div className="flex flex-wrap justify-between gap-x-3 text-micro leading-6 text-ink-faint">
        <p>
          {formatGroupSize(group, context)}
          {columns.includes('weight') && weight !== null && (
            <>
              {' · '}
              <Explained figure={{ of: 'share', ids: listIds(group.holdings), name: group.label }}>
                {`${formatPercent(weight)} of holdings`}
              </Explained>
            </>
          )}
          {yields !== '' && ` · ${yields}`}
        </p>
        <div className="ms-auto text-end">
          {totals && columns.includes('day') && (
            <p>
              <TotalDayChange
                totals={totals}
                count={group.holdings.length}
                privacy={privacy}
                explained={getGroupTarget(group)}
              />
            </p>
          )}
          {totals && columns.includes('gain') && (
            <p>
              <TotalsGain
                totals={totals}
                count={group.holdings.length}
                privacy={privacy}
                explained={getGroupTarget(group)}
              />
            </p>
          )}
        </div>
      </div>
      <UnconvertedAmounts amounts={group.unconverted} privacy={privacy} className="text-micro" />
    </div>
  );
}

/** Formats the yields of holdings: `2.31% yield, 3.02% on cost`. Empty without any, or if their column is hidden. */
function formatYields(holdings: HoldingGroup['holdings'], columns: readonly Column[], context: CellContext): string {
  if (!columns.includes('yield')) return '';
  const { yield_on_value: onValue, yield_on_cost: onCost } = calculateHoldingYields(holdings, context.incomes);
  if (onValue === null) return '';
  return `${formatPercent(onValue)} yield${onCost === null ? '' : `, ${formatPercent(onCost)} on cost`}`;
}

interface ListRowProps extends ListPlace {
  holding: ShownHolding;
  columns: readonly Column[];
  context: CellContext;
}

const ListRow = memo(function ListRow({ holding, columns, context, ...place }: ListRowProps) {
  const { price, quantity, account_name: account } = holding;
  const weight = calculateWeight(holding, context.whole);
  const explained = holding.symbol === null ? undefined : getTarget(holding);
  const isWeightShown = columns.includes('weight') && weight !== null;
  const isAccountShown = columns.includes('account');
  const yields = formatYields([holding], columns, context);
  return (
    <div role="listitem" {...place} className="relative border-t border-line px-4 py-2 hover:bg-sunken sm:px-5">
      <div className="flex justify-between gap-3">
        <div className="min-w-0 flex-1">
          <HoldingName holding={holding} />
        </div>
        {columns.includes('value') && (
          <div className="shrink-0 text-end">
            <ValueFigure holding={holding} context={context} />
          </div>
        )}
      </div>
      <div className="mt-1 flex justify-between gap-3 text-micro leading-6 text-ink-faint">
        {/* Text without enough room is hidden completely. */}
        <p className="h-[1lh] min-w-0 overflow-hidden">
          {columns.includes('price') && (
            <span className="whitespace-nowrap">
              {price === null && 'Quantity '}
              <MaskedAmount hidden={context.privacy} mask="88">
                {formatQuantity(quantity)}
              </MaskedAmount>
              {price !== null && ` × ${formatPriceOf(price, holding, [quantity])}`}
            </span>
          )}
        </p>
        {columns.includes('day') && (
          <div className="shrink-0 text-end">
            <DayChange holding={holding} privacy={context.privacy} explained={explained} />
            <BaseFigure holding={holding} context={context} amount={holding.shown.change} />
          </div>
        )}
      </div>
      <div className="flex justify-between gap-3 text-micro leading-6 text-ink-faint">
        <p className="min-w-0 truncate">
          {isWeightShown && (
            <Explained figure={{ of: 'share', ids: [holding.id], name: getTitle(holding) }}>
              {`${formatPercent(weight)} of holdings`}
            </Explained>
          )}
          {isWeightShown && isAccountShown && ' · '}
          {isAccountShown && account}
        </p>
        {columns.includes('gain') && (
          <div className="shrink-0 text-end">
            <TotalGain holding={holding} privacy={context.privacy} explained={explained} />
            <BaseFigure holding={holding} context={context} amount={holding.shown.gain} />
          </div>
        )}
      </div>
      {yields !== '' && <p className="text-micro leading-6 text-ink-faint">{yields}</p>}
    </div>
  );
});
