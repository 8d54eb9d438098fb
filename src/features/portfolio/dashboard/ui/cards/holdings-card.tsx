import { useState } from 'react';
import { readStored, writeStored } from '../../../../../ui/kit/browser-storage.ts';
import { indexConnectionsByAccount, useConnections } from '../../../../connections/ui/shared/connections-query.ts';
import { formatMoney, formatPercent } from '../../../../../ui/kit/formats.ts';
import { Explained } from '../../../explain/ui/explained.tsx';
import type { HoldingTarget } from '../../../explain/ui/explained-figure.ts';
import { LazyComponent } from '../../../../../ui/shell/loading/lazy-component.tsx';
import { formatNewYorkDay, formatSessionDay } from '../../../../../ui/kit/new-york-time.ts';
import { formatPriceOf, formatQuantity } from '../../../../../ui/kit/price-formats.ts';
import { MaskedAmount } from '../../../../../ui/kit/masked-amount.tsx';
import { joinTabStops } from '../../../../../ui/kit/join-tab-stops.ts';
import { SelectMenu } from '../../../../../ui/kit/select-menu.tsx';
import { SecurityLogo } from '../../../../securities/ui/shared/security-logo.tsx';
import { SecurityLink } from '../../../../../ui/shell/navigation/security-link.tsx';
import { Icon } from '../../../../../ui/kit/icon.tsx';
import { useMember } from '../../../../../ui/shell/session/session.ts';
import { DayChange, TotalGain } from '../../../holdings/ui/holding-changes.tsx';
import { OmittedHoldings, TotalDayChange, TotalsGain } from '../../../holdings/ui/totals-changes.tsx';
import { CardFooter } from './card-footer.tsx';
import { usePortfolioHoldings } from '../../../holdings/ui/holdings-queries.ts';
import { lazyAccountsDialog } from '../../../accounts/ui/lazy-accounts-dialog.ts';
import type { CardProps } from '../shared/dashboard-card.ts';
import { ImportHoldings } from '../../../import/ui/import-holdings.tsx';
import { QueryCard } from './query-card.tsx';
import { EmptyCard } from './empty-card.tsx';
import type { GroupFigures } from '../../../holdings/ui/page/calculate-figures.ts';
import { listIds } from '../../../holdings/ui/page/list-ids.ts';
import { UnconvertedAmounts } from '../../../holdings/ui/page/unconverted-amounts.tsx';
import { type HeldPosition, listPositions } from './list-positions.ts';
import { isPositionSort, type PositionSort, positionSortLabels, sortPositions } from './sort-positions.ts';

const COLLAPSED_ROWS = 4;

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
  const connectionByAccount = indexConnectionsByAccount(useConnections().data);
  const [sort, setSort] = usePositionSort();
  const query = usePortfolioHoldings();
  const isEmpty = query.data ? query.data.holdings.length === 0 : !presence.holdings;
  return (
    <>
      {isAccountsOpen && (
        <LazyComponent
          component={lazyAccountsDialog}
          props={{ privacy, onConnect, onClose: close }}
          className="mb-2"
          onClose={close}
        />
      )}
      <QueryCard
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
        skeleton={presence.holdings ? <HoldingsSkeleton /> : emptyHoldings}
      >
        {(portfolio) => {
          if (portfolio.holdings.length === 0) return emptyHoldings;
          const { positions, figures, partial } = listPositions(portfolio);
          const count = positions.length;
          return (
            <>
              <TotalRow
                figures={figures}
                ids={listIds(portfolio.holdings)}
                count={count}
                currency={portfolio.currency}
                day={formatSessionDay(portfolio.session_day, formatNewYorkDay(new Date(query.dataUpdatedAt)))}
                privacy={privacy}
              />
              <ul aria-label="Holdings" className="min-w-0 flex-1">
                {sortPositions(positions, sort)
                  .slice(0, isOpen ? count : COLLAPSED_ROWS)
                  .map((position) => (
                    <HoldingRow
                      key={position.key}
                      position={position}
                      isConnected={position.accounts.some(({ account_id: id }) => connectionByAccount.has(id))}
                      privacy={privacy}
                    />
                  ))}
              </ul>
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
  const key = `tally.holdings.sort.1.${useMember()?.userId ?? ''}`;
  const [chosen, setChosen] = useState<{ key: string; sort: PositionSort } | null>(null);
  const stored = readStored(key);
  const storedSort = isPositionSort(stored) ? stored : 'value';
  const choose = (sort: PositionSort): void => {
    writeStored(key, sort);
    setChosen({ key, sort });
  };
  return [chosen?.key === key ? chosen.sort : storedSort, choose];
}

interface TotalRowProps {
  /** Figures of all holdings. */
  figures: GroupFigures;
  /** Ids of all holdings. */
  ids: readonly string[];
  /** Number of rows of the card. */
  count: number;
  /** Base currency. */
  currency: string;
  /** Name of the day of the day changes. */
  day: string;
  privacy: boolean;
}

/** Shows value, day change and gain of all holdings, as the portfolio page does. */
function TotalRow({ figures: { totals, unconverted }, ids, count, currency, day, privacy }: TotalRowProps) {
  const explained: HoldingTarget = { of: 'selection', ids, name: 'investments' };
  return (
    <section ref={joinTabStops} aria-label="Total" className="border-b border-line px-4 pb-1 sm:px-5">
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-3">
        <div>
          <p className="text-micro text-ink-faint">Total</p>
          <p className="leading-6 font-semibold">
            {totals?.value == null ? (
              <span className="text-small text-ink-faint">{unconverted.length > 0 ? 'No rate' : 'No price yet'}</span>
            ) : (
              <Explained figure={{ ...explained, figure: 'value', shown: totals.value }}>
                <MaskedAmount hidden={privacy}>{formatMoney(totals.value, currency)}</MaskedAmount>
              </Explained>
            )}
          </p>
        </div>
        {totals && (
          <div className="text-end text-micro leading-6">
            <p>
              <TotalDayChange totals={totals} count={count} day={day} privacy={privacy} explained={explained} />
            </p>
            <p>
              <TotalsGain totals={totals} count={count} privacy={privacy} explained={explained} />
            </p>
          </div>
        )}
      </div>
      <UnconvertedAmounts amounts={unconverted} privacy={privacy} className="text-micro" />
    </section>
  );
}

const HoldingsSkeleton = () => (
  <div aria-hidden="true">
    <div className="grid h-12 content-center gap-1.5 border-b border-line px-4 sm:px-5">
      <span className="skeleton h-3 w-20" />
      <span className="skeleton h-4 w-28" />
    </div>
    {Array.from({ length: COLLAPSED_ROWS }, (_, index) => (
      <div key={index} className={rowClass}>
        <span className="skeleton size-8" />
        <span className="grid flex-1 gap-2">
          <span className="skeleton h-3.5 w-20" />
          <span className="skeleton h-3 w-32" />
        </span>
        <span className="skeleton h-3.5 w-16" />
      </div>
    ))}
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

const rowClass = 'relative flex h-19 items-center gap-3 border-t border-line px-4 first:border-transparent sm:px-5';

const ConnectedIcon = () => (
  <span className="ms-1.5 inline-block align-[-0.125em]">
    <Icon name="link" size={12} />
    <span className="sr-only">, connected</span>
  </span>
);

interface HoldingRowProps {
  position: HeldPosition;
  /** True if a part of the position is connected. */
  isConnected: boolean;
  privacy: boolean;
}

/** Shows a position as a link over the whole row to its security. One that the catalog does not list is no link. */
function HoldingRow({ position, isConnected, privacy }: HoldingRowProps) {
  const { ids, symbol, name, logo, price, value, currency, quantity, weight, partial } = position;
  const title = symbol ?? name;
  const explained: HoldingTarget = { of: 'selection', ids, name: title };
  const [figure, parSuffix] =
    price === null
      ? []
      : formatPriceOf(price, { ...position, currency: position.priceCurrency }, [quantity]).split(/ (?=of par$)/);
  return (
    <li ref={joinTabStops} className={`${rowClass} hover:bg-sunken`}>
      <SecurityLogo symbol={title} logo={logo} />
      <div className="min-w-0 flex-1">
        <div className="flex justify-between gap-3 leading-6">
          {/* Text without enough room is hidden completely. */}
          {symbol === null ? (
            <p className="min-w-0 truncate font-semibold">{name}</p>
          ) : (
            <p className="h-[1lh] min-w-0 overflow-hidden">
              <SecurityLink symbol={symbol} className="font-semibold after:absolute after:inset-0 after:content-['']">
                {symbol}
                <span className="sr-only">{` ${name}`}</span>
              </SecurityLink>
              <span className="ms-2 text-small text-ink-faint">
                <span className="whitespace-nowrap">
                  <MaskedAmount hidden={privacy} mask="88">
                    {formatQuantity(quantity)}
                  </MaskedAmount>
                  {figure !== undefined && ` × ${figure}`}
                  {isConnected && <ConnectedIcon />}
                </span>
                {parSuffix && (
                  <>
                    {' '}
                    <span className="whitespace-nowrap">{parSuffix}</span>
                  </>
                )}
              </span>
            </p>
          )}
          <p className="shrink-0 font-medium">
            {value === null ? (
              <span className="text-small text-ink-faint">No price yet</span>
            ) : (
              <>
                {partial.value && <span className="text-micro text-ink-faint">Partly known </span>}
                <Explained figure={{ ...explained, figure: 'value', shown: value }}>
                  <MaskedAmount hidden={privacy}>{formatMoney(value, currency ?? 'USD')}</MaskedAmount>
                </Explained>
              </>
            )}
          </p>
        </div>
        <div className="flex justify-between gap-3 text-micro leading-6">
          {symbol === null ? (
            <p className="min-w-0 truncate text-ink-soft">
              {'Quantity '}
              <MaskedAmount hidden={privacy} mask="88">
                {formatQuantity(quantity)}
              </MaskedAmount>
              {isConnected && <ConnectedIcon />}
            </p>
          ) : (
            <p aria-hidden="true" className="min-w-0 truncate text-ink-soft">
              {name}
            </p>
          )}
          <p className="shrink-0">
            <DayChange holding={position} privacy={privacy} explained={explained} />
          </p>
        </div>
        <div className="flex justify-between gap-3 text-micro leading-6">
          <p className="h-[1lh] min-w-0 overflow-hidden text-ink-faint">
            {weight !== null && (
              <Explained figure={{ of: 'share', ids, name: title }}>
                {formatWeight(weight)} <span className="whitespace-nowrap">of holdings</span>
              </Explained>
            )}
          </p>
          <p className="shrink-0">
            <TotalGain holding={position} isPartial={partial.gain} privacy={privacy} explained={explained} />
          </p>
        </div>
      </div>
    </li>
  );
}

/** Formats a percentage without sign: `12.3%`. */
const formatWeight = (weight: number): string => formatPercent(weight);
