import { SampleBadge } from '../../../../../ui/shell/layout/sample-badge.tsx';
import { memo, useCallback, useMemo, useState } from 'react';
import { useMediaQuery } from '../../../../../ui/kit/use-media-query.ts';
import { formatSessionDay } from '../../../../../ui/kit/new-york-time.ts';
import type { PortfolioHolding, PortfolioHoldings } from '../../contract.ts';
import { AllocationBar } from './allocation-bar.tsx';
import { calculateFigures, calculatePortfolioFigures } from './calculate-figures.ts';
import type { Incomes } from './calculate-holding-yields.ts';
import { CashList } from './cash-list.tsx';
import {
  type Dimension,
  filterHoldings,
  groupHoldings,
  type HoldingFilter,
  type HoldingGroup,
  keepExistingGroups,
} from './group-holdings.ts';
import type { CellContext } from './holding-cells.tsx';
import { HoldingsList } from './holdings-list.tsx';
import { HoldingsTable } from './holdings-table.tsx';
import { formatHoldingCount } from '../totals-changes.tsx';
import { PortfolioControls } from './portfolio-controls.tsx';
import { PortfolioSummary } from './portfolio-summary.tsx';
import { listShownColumns, usePortfolioView } from './portfolio-view.ts';
import { roundGroups, roundHoldings, type ShownHolding } from './round-holdings.ts';
import { sortGroups, sortHoldings } from './sort-holdings.ts';

interface LoadedPortfolioProps {
  portfolio: PortfolioHoldings;
  /** New York's date, YYYY-MM-DD. */
  today: string;
  privacy: boolean;
  incomes: Incomes;
}

/** Shows the summary, the controls and the rows of a portfolio that has holdings or cash. */
export const LoadedPortfolio = memo(function LoadedPortfolio(props: LoadedPortfolioProps) {
  const { portfolio, today, privacy, incomes } = props;
  const { holdings, currency, rates } = portfolio;
  const hasCash = portfolio.cash.length > 0;
  const [view, changeView] = usePortfolioView();
  const [chosenFilter, setChosenFilter] = useState<HoldingFilter>({});
  const filter = useMemo(() => keepExistingGroups(chosenFilter, holdings), [chosenFilter, holdings]);
  const isTable = useMediaQuery('(width >= 56rem)');
  const portfolioFigures = useMemo(() => calculatePortfolioFigures(portfolio), [portfolio]);
  const context = useMemo<CellContext>(
    () => ({ currency, whole: portfolioFigures.exactValue, hasCash, privacy, incomes }),
    [currency, portfolioFigures.exactValue, hasCash, privacy, incomes],
  );
  const shown = useMemo(() => filterHoldings(holdings, filter), [holdings, filter]);
  const isFiltered = shown.length < holdings.length;
  // The figures of all holdings are known, and have the value that Home shows.
  const calculateShown = useCallback(
    (some: readonly PortfolioHolding[]) =>
      some.length < holdings.length ? calculateFigures(some, currency) : portfolioFigures,
    [holdings, currency, portfolioFigures],
  );
  const figures = useMemo(() => calculateShown(shown), [calculateShown, shown]);
  const barDimension: Dimension = view.grouping === 'none' ? 'class' : view.grouping;
  const groupAndRound = useCallback(
    (some: readonly PortfolioHolding[], dimension: Dimension) =>
      roundGroups(groupHoldings(some, dimension, currency), calculateShown(some).totals, currency),
    [currency, calculateShown],
  );
  // The bar shows every group of its dimension, so that another one can be chosen.
  const barGroups = useMemo(() => {
    const inBar = filterHoldings(holdings, { ...filter, [barDimension]: undefined });
    // Without groups in the table, the order within those of the bar is not shown.
    const sorted = view.grouping === 'none' ? inBar : sortHoldings(inBar, view.sort, incomes);
    return groupAndRound(sorted, barDimension);
  }, [holdings, filter, barDimension, view, incomes, groupAndRound]);
  const columns = useMemo(() => listShownColumns(view), [view]);
  const groups = useMemo<readonly HoldingGroup<ShownHolding>[]>(() => {
    if (view.grouping !== 'none' && filter[view.grouping] === undefined)
      return sortGroups(barGroups, view.sort, incomes);
    const sorted = sortHoldings(shown, view.sort, incomes);
    if (view.grouping !== 'none') return groupAndRound(sorted, view.grouping);
    const figures = calculateShown(sorted);
    return [{ key: '', label: '', ...figures, holdings: roundHoldings(sorted, figures.totals, currency) }];
  }, [shown, view, filter, currency, calculateShown, incomes, barGroups, groupAndRound]);
  const choose = (dimension: Dimension, key: string | undefined): void =>
    setChosenFilter({ ...filter, [dimension]: key });
  const rowProps = {
    groups,
    hasHeadings: view.grouping !== 'none',
    columns,
    context,
  };
  return (
    <div className="grid grid-cols-1 gap-4">
      <section aria-label="Summary" className="card relative grid gap-4 px-4 py-4 sm:px-5">
        {/* On a phone the heading has no room for the badge. */}
        {portfolio.sample_data && (
          <p className="absolute end-4 top-4 flex sm:hidden">
            <SampleBadge />
          </p>
        )}
        <PortfolioSummary
          label={isFiltered ? `${shown.length} of ${formatHoldingCount(holdings.length)}` : 'Investments'}
          holdings={shown}
          figures={figures}
          currency={currency}
          rates={rates}
          cash={portfolio.cash}
          day={formatSessionDay(portfolio.session_day, today)}
          netWorth={isFiltered || portfolio.cash.length === 0 ? undefined : portfolio.base}
          privacy={privacy}
        />
        <AllocationBar
          groups={barGroups}
          context={context}
          chosen={filter[barDimension]}
          onChoose={(key) => choose(barDimension, key)}
        />
      </section>
      {holdings.length > 0 && (
        <PortfolioControls
          holdings={holdings}
          view={view}
          onChange={changeView}
          filter={filter}
          onFilter={choose}
          barDimension={barDimension}
          hasSortMenu={!isTable}
        />
      )}
      {holdings.length > 0 && (
        <section aria-label="Holdings" className="card overflow-hidden">
          {isTable ? (
            <HoldingsTable {...rowProps} sort={view.sort} onSort={(sort) => changeView({ sort })} />
          ) : (
            <HoldingsList {...rowProps} />
          )}
        </section>
      )}
      <CashList portfolio={portfolio} privacy={privacy} />
    </div>
  );
});
