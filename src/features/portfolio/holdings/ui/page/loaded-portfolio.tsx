import { SampleBadge } from '../../../../../ui/shell/layout/sample-badge.tsx';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { useMediaQuery } from '../../../../../ui/kit/use-media-query.ts';
import { formatSessionDay } from '../../../../../ui/kit/new-york-time.ts';
import type { PortfolioHolding, PortfolioHoldings } from '../../contract.ts';
import { AllocationBar } from './allocation-bar.tsx';
import { addExactValues, calculateFigures, calculatePortfolioFigures } from './calculate-figures.ts';
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
import { sortHoldings } from './sort-holdings.ts';

interface LoadedPortfolioProps {
  portfolio: PortfolioHoldings;
  /** New York's date, YYYY-MM-DD. */
  today: string;
  privacy: boolean;
  incomes: Incomes;
}

/** Shows the summary, the controls and the rows of a portfolio that has holdings or cash. */
export function LoadedPortfolio({ portfolio, today, privacy, incomes }: LoadedPortfolioProps) {
  const { holdings, currency, rates } = portfolio;
  const hasCash = portfolio.cash.length > 0;
  const [view, changeView] = usePortfolioView();
  const [chosenFilter, setChosenFilter] = useState<HoldingFilter>({});
  const filter = useMemo(() => keepExistingGroups(chosenFilter, holdings), [chosenFilter, holdings]);
  const isTable = useMediaQuery('(width >= 56rem)');
  const whole = useMemo(() => calculatePortfolioFigures(portfolio), [portfolio]);
  const wholeValue = useMemo(() => addExactValues(holdings), [holdings]);
  const context = useMemo<CellContext>(
    () => ({ currency, whole: wholeValue, hasCash, privacy, incomes }),
    [currency, wholeValue, hasCash, privacy, incomes],
  );
  const shown = useMemo(() => filterHoldings(holdings, filter), [holdings, filter]);
  const isFiltered = shown.length < holdings.length;
  // The figures of all holdings are known, and have the value that Home shows.
  const calculateShown = useCallback(
    (some: readonly PortfolioHolding[]) => (some.length < holdings.length ? calculateFigures(some, currency) : whole),
    [holdings, currency, whole],
  );
  const figures = useMemo(() => calculateShown(shown), [calculateShown, shown]);
  const barDimension: Dimension = view.grouping === 'none' ? 'class' : view.grouping;
  // The bar shows every group of its dimension, so that another one can be chosen.
  const barGroups = useMemo(() => {
    const inBar = filterHoldings(holdings, { ...filter, [barDimension]: undefined });
    return roundGroups(groupHoldings(inBar, barDimension, currency), calculateShown(inBar).totals, currency);
  }, [holdings, filter, barDimension, currency, calculateShown]);
  const columns = useMemo(() => listShownColumns(view), [view]);
  // The pressed control is updated first, and the rows in a deferred update.
  const deferredView = useDeferredValue(view);
  const deferredShown = useDeferredValue(shown);
  const deferredColumns = useDeferredValue(columns);
  const groups = useMemo<HoldingGroup<ShownHolding>[]>(() => {
    const sorted = sortHoldings(deferredShown, deferredView.sort, incomes);
    const rowFigures = calculateShown(sorted);
    return deferredView.grouping === 'none'
      ? [{ key: '', label: '', ...rowFigures, holdings: roundHoldings(sorted, rowFigures.totals, currency) }]
      : roundGroups(groupHoldings(sorted, deferredView.grouping, currency), rowFigures.totals, currency);
  }, [deferredShown, deferredView, currency, calculateShown, incomes]);
  const choose = (dimension: Dimension, key: string | undefined): void =>
    setChosenFilter({ ...filter, [dimension]: key });
  const rowProps = {
    groups,
    hasHeadings: deferredView.grouping !== 'none',
    columns: deferredColumns,
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
}
