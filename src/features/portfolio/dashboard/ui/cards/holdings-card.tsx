import { useEffect, useRef, useState } from 'react';
import { readStored, writeStored } from '../../../../../ui/kit/browser-storage.ts';
import { indexConnectionsByAccount, useConnections } from '../../../../connections/ui/shared/connections-query.ts';
import { LazyComponent } from '../../../../../ui/shell/loading/lazy-component.tsx';
import { formatNewYorkDay, formatSessionDay } from '../../../../../ui/kit/new-york-time.ts';
import { joinTabStops } from '../../../../../ui/kit/join-tab-stops.ts';
import { useIsWide } from '../../../../../ui/kit/use-is-wide.ts';
import { SelectMenu } from '../../../../../ui/kit/select-menu.tsx';
import { Icon } from '../../../../../ui/kit/icon.tsx';
import { useMember } from '../../../../../ui/shell/session/session.ts';
import { PortfolioTotals } from '../../../holdings/ui/portfolio-totals.tsx';
import { OmittedHoldings } from '../../../holdings/ui/totals-changes.tsx';
import { CardFooter } from './card-footer.tsx';
import { usePortfolioHoldings } from '../../../holdings/ui/holdings-queries.ts';
import { lazyPositionsList, lazyPositionsTable } from '../lazy-components.ts';
import { lazyAccountsDialog } from '../../../accounts/ui/lazy-accounts-dialog.ts';
import type { CardProps } from '../shared/dashboard-card.ts';
import { ImportHoldings } from '../../../import/ui/import-holdings.tsx';
import { QueryCard, RowSkeleton } from './query-card.tsx';
import { EmptyCard } from './empty-card.tsx';
import { listIds } from '../../../holdings/ui/page/list-ids.ts';
import { UnconvertedAmounts } from '../../../holdings/ui/page/unconverted-amounts.tsx';
import { type HeldPosition, listPositions } from '../../../holdings/ui/page/list-positions.ts';
import { isPositionSort, type PositionSort, positionSortLabels, sortPositions } from './sort-positions.ts';

const COLLAPSED_ROWS = 4;

/** Width of the card from which its rows are a table. */
const MIN_TABLE_WIDTH_PX = 640;

const actionClass =
  'min-h-9 rounded-control px-1.5 text-small font-medium text-ink-soft hover:bg-sunken hover:text-ink sm:px-2';

/** Shows the dashboard's card `holdings`: the member's positions with their total, all in the base currency. */
export function HoldingsCard({ privacy, presence, onConnect, onAddInvestment }: CardProps) {
  const emptyHoldings = (
    <EmptyCard text="Your investments and their value." action={{ label: 'Add investment', run: onAddInvestment }} />
  );
  const [isOpen, setIsOpen] = useState(false);
  const [isAccountsOpen, setIsAccountsOpen] = useState(false);
  const close = (): void => setIsAccountsOpen(false);
  const widthProbe = useRef<HTMLDivElement>(null);
  const isWide = useIsWide(widthProbe, MIN_TABLE_WIDTH_PX);
  const connectionByAccount = indexConnectionsByAccount(useConnections().data);
  const isConnected = ({ accounts }: HeldPosition): boolean =>
    accounts.some(({ account_id: id }) => connectionByAccount.has(id));
  const [sort, setSort] = usePositionSort();
  const query = usePortfolioHoldings();
  const isEmpty = query.data ? query.data.holdings.length === 0 : !presence.holdings;
  useEffect(() => {
    if (presence.holdings) (isWide ? lazyPositionsTable : lazyPositionsList).preload();
  }, [presence.holdings, isWide]);
  return (
    <>
      {/* As wide as the card. */}
      <div ref={widthProbe} />
      {isAccountsOpen && (
        <LazyComponent
          component={lazyAccountsDialog}
          props={{ privacy, onConnect, onClose: close }}
          className="mb-2"
          onClose={close}
        />
      )}
      <QueryCard
        id="holdings"
        title="Holdings"
        query={query}
        actions={
          <>
            {!isEmpty && (
              <SelectMenu
                label="Sort holdings"
                value={sort}
                options={positionSortLabels}
                onChange={setSort}
                className="text-ink-soft hover:text-ink"
                selectClassName="min-h-9 ps-2"
              />
            )}
            <ImportHoldings
              privacy={privacy}
              title="Import"
              className={`${actionClass} ${isEmpty ? 'max-sm:hidden' : ''}`}
            >
              <span className="sm:hidden">
                <Icon name="import" size={20} />
              </span>
              <span className="max-sm:sr-only">Import</span>
            </ImportHoldings>
            <AccountsButton isSmall={isEmpty} onClick={() => setIsAccountsOpen(true)} />
          </>
        }
        hasRows={presence.holdings}
        skeleton={presence.holdings ? <HoldingsSkeleton isWide={isWide} /> : emptyHoldings}
      >
        {(portfolio) => {
          if (portfolio.holdings.length === 0) return emptyHoldings;
          const { positions, figures, partial } = listPositions(portfolio);
          const count = positions.length;
          const shown = sortPositions(positions, sort).slice(0, isOpen ? count : COLLAPSED_ROWS);
          return (
            <>
              <section ref={joinTabStops} aria-label="Total" className="border-b border-line px-4 pb-1 sm:px-5">
                <PortfolioTotals
                  label="Total"
                  figures={figures}
                  currency={portfolio.currency}
                  count={count}
                  day={formatSessionDay(portfolio.session_day, formatNewYorkDay(new Date(query.dataUpdatedAt)))}
                  privacy={privacy}
                  explained={{ of: 'selection', ids: listIds(portfolio.holdings), name: 'investments' }}
                />
                <UnconvertedAmounts amounts={figures.unconverted} privacy={privacy} className="text-micro" />
              </section>
              {isWide ? (
                <LazyComponent
                  component={lazyPositionsTable}
                  props={{
                    positions: shown,
                    sortColumn: sort,
                    currency: portfolio.currency,
                    isConnected,
                    privacy,
                  }}
                  fallback={<TableSkeleton />}
                  className="px-4 sm:px-5"
                />
              ) : (
                <LazyComponent
                  component={lazyPositionsList}
                  props={{ positions: shown, isConnected, privacy }}
                  fallback={<RowSkeleton rows={shown.length} className="h-19" />}
                />
              )}
              {figures.totals && (
                <OmittedHoldings
                  totals={[figures.totals]}
                  partial={partial}
                  className="px-4 py-0.5 text-micro text-ink-faint sm:px-5"
                />
              )}
              {count > COLLAPSED_ROWS && (
                <CardFooter isOpen={isOpen} count={count} noun="holdings" onToggle={() => setIsOpen(!isOpen)} />
              )}
            </>
          );
        }}
      </QueryCard>
    </>
  );
}

/** Returns the member's sort order of this browser and a function that changes it. */
function usePositionSort(): [PositionSort, (sort: PositionSort) => void] {
  const key = `tally.holdings.sort.2.${useMember()?.userId ?? ''}`;
  const [chosen, setChosen] = useState<{ key: string; sort: PositionSort } | null>(null);
  const stored = readStored(key);
  const storedSort = isPositionSort(stored) ? stored : 'value';
  const choose = (sort: PositionSort): void => {
    writeStored(key, sort);
    setChosen({ key, sort });
  };
  return [chosen?.key === key ? chosen.sort : storedSort, choose];
}

const HoldingsSkeleton = ({ isWide }: { isWide: boolean }) => (
  <div aria-hidden="true">
    <div className="grid h-12 content-center gap-1.5 border-b border-line px-4 sm:px-5">
      <span className="skeleton h-3 w-20" />
      <span className="skeleton h-4 w-28" />
    </div>
    {isWide ? <TableSkeleton /> : <RowSkeleton rows={COLLAPSED_ROWS} className="h-19" />}
  </div>
);

/** As high as the table's headings and rows. */
const TableSkeleton = () => (
  <div aria-hidden="true">
    <div className="h-10" />
    <RowSkeleton rows={COLLAPSED_ROWS} className="h-14 first:border-line" />
  </div>
);

/** On a phone the button of a small card is an icon, because the title leaves no room for its text. */
function AccountsButton({ isSmall, onClick }: { isSmall: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      title={isSmall ? 'Accounts' : undefined}
      className={
        '-me-2 min-h-9 rounded-control px-2 text-small font-medium text-ink-soft hover:bg-sunken hover:text-ink ' +
        (isSmall ? 'max-sm:px-1.5' : '')
      }
      {...lazyAccountsDialog.preloadProps}
      onClick={onClick}
    >
      {isSmall && (
        <span className="sm:hidden">
          <Icon name="bank" size={20} />
        </span>
      )}
      <span className={isSmall ? 'max-sm:sr-only' : ''}>Accounts</span>
    </button>
  );
}
