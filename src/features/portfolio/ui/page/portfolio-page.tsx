import { type ComponentType, useDeferredValue, useMemo, useState } from 'react';
import { Badge } from '../../../../ui/kit/badge.tsx';
import { Button, getButtonClass } from '../../../../ui/kit/button.tsx';
import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import { Icon } from '../../../../ui/kit/icon.tsx';
import { useMediaQuery } from '../../../../ui/kit/use-media-query.ts';
import { useStore } from '../../../../ui/kit/use-store.ts';
import { lazyErrorProps } from '../../../../ui/shell/dashboard/lazy-error-props.ts';
import { LazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';
import { formatNewYorkDay, formatSessionDay } from '../../../../ui/shell/market/new-york-time.ts';
import { privacyMode } from '../../../../ui/shell/session/privacy-mode.ts';
import { PrivacyToggle } from '../../../../ui/shell/session/privacy-toggle.tsx';
import { useIsSampleUser } from '../../../../ui/shell/session/sample-user.ts';
import type { PortfolioHoldings } from '../../contract.ts';
import { usePortfolioHoldings } from '../card-queries.ts';
import { lazyAddInvestment } from '../dashboard/lazy-components.ts';
import { ImportHoldings } from '../import/import-holdings.tsx';
import { AllocationBar } from './allocation-bar.tsx';
import {
  calculateFigures,
  type Dimension,
  filterHoldings,
  groupHoldings,
  type HoldingFilter,
  type HoldingGroup,
  keepExistingGroups,
  sortHoldings,
} from './group-holdings.ts';
import type { CellContext } from './holding-cells.tsx';
import { HoldingsList } from './holdings-list.tsx';
import { formatHoldingCount, HoldingsTable } from './holdings-table.tsx';
import { lazyAccountsDialog } from '../lazy-accounts-dialog.ts';
import { PortfolioControls } from './portfolio-controls.tsx';
import { PortfolioSkeleton } from './portfolio-skeleton.tsx';
import { PortfolioSummary } from './portfolio-summary.tsx';
import { listShownColumns, usePortfolioView } from './portfolio-view.ts';

export interface PortfolioPageProps {
  /** Dialog that connects an account. */
  ConnectDialog: ComponentType<{ onClose: () => void }>;
}

type OpenDialog = 'investment' | 'accounts' | 'connect' | null;

/** Shows `/portfolio`: every holding of the member in the base currency. */
export function PortfolioPage({ ConnectDialog }: PortfolioPageProps) {
  const { data, error, isPending, refetch, dataUpdatedAt } = usePortfolioHoldings();
  const privacy = useStore(privacyMode);
  const isReadOnly = useIsSampleUser();
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const close = (): void => setOpenDialog(null);
  const dialogProps = { ...lazyErrorProps, onClose: close };
  const renderContent = () => {
    if (data?.holdings.length === 0)
      return <EmptyPortfolio onAdd={() => setOpenDialog('investment')} onConnect={() => setOpenDialog('connect')} />;
    if (data)
      return <LoadedPortfolio portfolio={data} today={formatNewYorkDay(new Date(dataUpdatedAt))} privacy={privacy} />;
    if (isPending) return <PortfolioSkeleton />;
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
    <>
      <div className="mb-5 flex flex-wrap items-center gap-x-2 gap-y-1.5 sm:mb-6">
        <div className="flex flex-1 flex-wrap items-center gap-x-3">
          <h1 className="text-title font-semibold tracking-tight">Portfolio</h1>
          {data?.sample_data && (
            <span className="flex max-sm:hidden">
              <SampleBadge />
            </span>
          )}
        </div>
        <PrivacyToggle />
        {!isReadOnly && (
          <ImportHoldings
            privacy={privacy}
            title="Import"
            refreshesAtOnce
            className={getButtonClass('quiet', 'max-sm:w-9 max-sm:px-0 sm:px-3')}
          >
            <span className="sm:hidden">
              <Icon name="import" />
            </span>
            <span className="max-sm:sr-only">Import</span>
          </ImportHoldings>
        )}
        <Button
          variant="quiet"
          className="px-3"
          {...lazyAccountsDialog.preloadProps}
          onClick={() => setOpenDialog('accounts')}
        >
          Accounts
        </Button>
        {/* Phones have room for an icon only. */}
        {!isReadOnly && (
          <Button
            className="max-sm:w-9 max-sm:px-0"
            {...lazyAddInvestment.preloadProps}
            onClick={() => setOpenDialog('investment')}
          >
            <Icon name="plus" />
            <span className="max-sm:sr-only">Add investment</span>
          </Button>
        )}
      </div>
      {openDialog === 'investment' && (
        <LazyComponent component={lazyAddInvestment} props={{ preset: null, onClose: close }} {...dialogProps} />
      )}
      {openDialog === 'accounts' && (
        <LazyComponent
          component={lazyAccountsDialog}
          props={{ privacy, onConnect: () => setOpenDialog('connect'), onClose: close }}
          {...dialogProps}
        />
      )}
      {openDialog === 'connect' && <ConnectDialog onClose={close} />}
      <p role="status" className="sr-only">
        {isPending && 'Loading your holdings'}
      </p>
      {renderContent()}
    </>
  );
}

const SampleBadge = () => <Badge tone="warn">Sample data</Badge>;

interface EmptyPortfolioProps {
  onAdd: () => void;
  onConnect: () => void;
}

const EmptyPortfolio = ({ onAdd, onConnect }: EmptyPortfolioProps) => (
  <section className="card grid justify-items-start gap-3 px-4 py-5 sm:px-5">
    <div>
      <h2 className="text-lead font-semibold tracking-tight">No holdings yet</h2>
      <p className="text-ink-soft">Connect an institution or add your investments. Their value and gain appear here.</p>
    </div>
    <div className="flex flex-wrap gap-2">
      <Button variant="primary" onClick={onConnect}>
        Connect an account
      </Button>
      <Button onClick={onAdd}>Add investment</Button>
    </div>
  </section>
);

interface LoadedPortfolioProps {
  portfolio: PortfolioHoldings;
  /** New York's date, YYYY-MM-DD. */
  today: string;
  privacy: boolean;
}

function LoadedPortfolio({ portfolio, today, privacy }: LoadedPortfolioProps) {
  const { holdings, currency, rates } = portfolio;
  const [view, changeView] = usePortfolioView();
  const [chosenFilter, setChosenFilter] = useState<HoldingFilter>({});
  const filter = useMemo(() => keepExistingGroups(chosenFilter, holdings), [chosenFilter, holdings]);
  const isTable = useMediaQuery('(width >= 56rem)');
  const total = useMemo(() => calculateFigures(holdings, currency).totals?.value ?? null, [holdings, currency]);
  const context = useMemo<CellContext>(() => ({ currency, total, privacy }), [currency, total, privacy]);
  const shown = useMemo(() => filterHoldings(holdings, filter), [holdings, filter]);
  const figures = useMemo(() => calculateFigures(shown, currency), [shown, currency]);
  const barDimension: Dimension = view.grouping === 'none' ? 'class' : view.grouping;
  // The bar shows every group of its dimension, so that another one can be chosen.
  const barGroups = useMemo(
    () => groupHoldings(filterHoldings(holdings, { ...filter, [barDimension]: undefined }), barDimension, currency),
    [holdings, filter, barDimension, currency],
  );
  const columns = useMemo(() => listShownColumns(view), [view]);
  // The pressed control updates first. The rows follow in a deferred update.
  const deferredView = useDeferredValue(view);
  const deferredShown = useDeferredValue(shown);
  const deferredColumns = useDeferredValue(columns);
  const groups = useMemo<HoldingGroup[]>(() => {
    const sorted = sortHoldings(deferredShown, deferredView.sort);
    return deferredView.grouping === 'none'
      ? [{ key: '', label: '', holdings: sorted, totals: null, unconverted: [] }]
      : groupHoldings(sorted, deferredView.grouping, currency);
  }, [deferredShown, deferredView, currency]);
  const choose = (dimension: Dimension, key: string | undefined): void =>
    setChosenFilter({ ...filter, [dimension]: key });
  const rowProps = {
    groups,
    hasHeadings: deferredView.grouping !== 'none',
    columns: deferredColumns,
    context,
  };
  const isFiltered = shown.length < holdings.length;
  return (
    <div className="grid grid-cols-1 gap-4">
      {/* The heading of a phone has no room for it. */}
      {portfolio.sample_data && (
        <p className="flex sm:hidden">
          <SampleBadge />
        </p>
      )}
      <section aria-label="Summary" className="card grid gap-4 px-4 py-4 sm:px-5">
        <PortfolioSummary
          label={isFiltered ? `${shown.length} of ${formatHoldingCount(holdings.length)}` : 'Investments'}
          holdings={shown}
          figures={figures}
          currency={currency}
          rates={rates}
          day={formatSessionDay(portfolio.session_day, today)}
          privacy={privacy}
        />
        <AllocationBar
          groups={barGroups}
          context={context}
          chosen={filter[barDimension]}
          onChoose={(key) => choose(barDimension, key)}
        />
      </section>
      <PortfolioControls
        holdings={holdings}
        view={view}
        onChange={changeView}
        filter={filter}
        onFilter={choose}
        barDimension={barDimension}
        hasSortMenu={!isTable}
      />
      <section aria-label="Holdings" className="card overflow-hidden">
        {isTable ? (
          <HoldingsTable {...rowProps} sort={view.sort} onSort={(sort) => changeView({ sort })} />
        ) : (
          <HoldingsList {...rowProps} />
        )}
      </section>
    </div>
  );
}
