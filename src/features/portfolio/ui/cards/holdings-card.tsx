import { useState } from 'react';
import { indexConnectionsByAccount, useConnections } from '../../../../ui/shell/connections/connections-query.ts';
import { formatChange, formatMoney } from '../../../../ui/kit/formats.ts';
import { lazyComponent, LazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';
import { formatPrice, formatQuantity } from '../../../../ui/shell/market/price-formats.ts';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import { SecurityLogo } from '../../../../ui/shell/market/security-logo.tsx';
import { Icon } from '../../../../ui/kit/icon.tsx';
import type { Position, UnlistedHolding } from '../../contract.ts';
import { CardFooter } from './card-footer.tsx';
import { useHoldings, usePositions } from '../card-queries.ts';
import type { CardProps } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { QueryCard, RowSkeleton } from './query-card.tsx';
import { EmptyCard } from './empty-card.tsx';

const COLLAPSED_ROWS = 6;
const lazyHoldingDialog = lazyComponent('The holding', () => import('../holding-dialog.tsx'));
const lazyAccountsDialog = lazyComponent('The list of accounts', () => import('../accounts-dialog.tsx'));

const emptyHoldings = <EmptyCard title="No holdings yet" text="Your investments and their value appear here." />;

/** Shows the dashboard's card `holdings`: the member's positions, most valuable first. */
export function HoldingsCard({ privacy, presence, onConnect }: CardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [edited, setEdited] = useState<Position | 'accounts' | null>(null);
  const close = (): void => setEdited(null);
  const connectionByAccount = indexConnectionsByAccount(useConnections().data);
  // Only connected holdings can be unlisted.
  const unlisted = useHoldings(connectionByAccount.size > 0).data?.unlisted ?? [];
  const query = usePositions();
  const isEmpty = query.data ? query.data.positions.length + unlisted.length === 0 : !presence.holdings;
  return (
    <>
      {edited === 'accounts' && (
        <LazyComponent
          component={lazyAccountsDialog}
          props={{ privacy, onConnect, onClose: close }}
          className="mb-2"
          onClose={close}
        />
      )}
      {edited !== null && edited !== 'accounts' && (
        <LazyComponent
          component={lazyHoldingDialog}
          props={{ position: edited, privacy, onClose: close }}
          className="mb-2"
          onClose={close}
        />
      )}
      <QueryCard
        title="Holdings"
        query={query}
        actions={<AccountsButton isSmall={isEmpty} onClick={() => setEdited('accounts')} />}
        skeleton={presence.holdings ? <RowSkeleton rows={COLLAPSED_ROWS} /> : emptyHoldings}
      >
        {({ positions }) => {
          const count = positions.length + unlisted.length;
          if (count === 0) return emptyHoldings;
          return (
            <>
              <ul aria-label="Holdings" className="min-w-0">
                {[...sortPositions(positions), ...unlisted]
                  .slice(0, isOpen ? count : COLLAPSED_ROWS)
                  .map((row) =>
                    'symbol' in row ? (
                      <HoldingRow
                        key={row.symbol}
                        position={row}
                        isConnected={row.accounts.some(({ account_id: id }) => connectionByAccount.has(id))}
                        privacy={privacy}
                        onEdit={() => setEdited(row)}
                      />
                    ) : (
                      <UnlistedRow key={row.id} holding={row} privacy={privacy} />
                    ),
                  )}
              </ul>
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

const rowClass = 'relative flex h-13 items-center gap-3 border-t border-line px-4 first:border-transparent sm:px-5';

/** Shows a connected holding that no catalog lists, with its institution's value. */
function UnlistedRow({ holding, privacy }: { holding: UnlistedHolding; privacy: boolean }) {
  const { name, quantity, account_name: account, value, currency } = holding;
  return (
    <li className={rowClass}>
      <SecurityLogo symbol={name} logo={null} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{name}</p>
        <p className="truncate text-small text-ink-faint">
          <MaskedAmount hidden={privacy} mask="88">
            {formatQuantity(quantity)}
          </MaskedAmount>
          {` in ${account}`}
          <ConnectedIcon />
        </p>
      </div>
      <p className="shrink-0 font-medium">
        {value === null ? (
          <span className="text-small text-ink-faint">No value yet</span>
        ) : (
          <MaskedAmount hidden={privacy}>{formatMoney(value, currency)}</MaskedAmount>
        )}
      </p>
    </li>
  );
}

const ConnectedIcon = () => (
  <span className="ms-1.5 inline-block align-[-0.125em]">
    <Icon name="swap" size={12} />
    <span className="sr-only">, connected</span>
  </span>
);

interface HoldingRowProps {
  position: Position;
  /** True if a part of the position is connected. */
  isConnected: boolean;
  privacy: boolean;
  onEdit: () => void;
}

function HoldingRow({ position, isConnected, privacy, onEdit }: HoldingRowProps) {
  const { symbol, name, logo, price, value, currency, change_1d: change, quantity } = position;
  const changeClass = (change ?? 0) > 0 ? 'text-gain' : 'text-loss';
  const toneClass = change ? changeClass : 'text-ink-faint';
  const [figure, parSuffix] = price === null ? [] : formatPrice(price, position).split(/ (?=of par$)/);
  return (
    <li className={`${rowClass} hover:bg-sunken`}>
      <SecurityLogo symbol={symbol} logo={logo} />
      <div className="min-w-0 flex-1">
        <div className="flex justify-between gap-3">
          {/* Text without enough room is hidden completely. */}
          <p className="h-[1lh] min-w-0 overflow-hidden">
            <button
              type="button"
              aria-haspopup="dialog"
              className="font-semibold after:absolute after:inset-0 after:content-['']"
              {...lazyHoldingDialog.preloadProps}
              onClick={onEdit}
            >
              {symbol}
              <span className="sr-only">{` ${name ?? ''}`}</span>
            </button>
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
          <p className="shrink-0 font-medium">
            {value === null ? (
              <span className="text-small text-ink-faint">No price yet</span>
            ) : (
              <MaskedAmount hidden={privacy}>{formatMoney(value, currency ?? 'USD')}</MaskedAmount>
            )}
          </p>
        </div>
        {/* The name is not truncated, because names of bonds differ in their last words. */}
        <div className="flex justify-between gap-3 text-small">
          <p aria-hidden="true" className="min-w-0 truncate text-ink-soft">
            {name}
          </p>
          <p className={`shrink-0 ${toneClass}`}>
            <span className="sr-only">Day's change: </span>
            {change === null ? '–' : formatChange(change)}
          </p>
        </div>
      </div>
    </li>
  );
}

/**
 * Sorts positions by value within each currency, since amounts in two currencies cannot be compared. Positions without
 * a price are last.
 */
function sortPositions(positions: readonly Position[]): Position[] {
  const countByCurrency = new Map<string | null, number>();
  for (const { currency } of positions) countByCurrency.set(currency, (countByCurrency.get(currency) ?? 0) + 1);
  return positions.toSorted(
    (a, b) =>
      Number(a.value === null) - Number(b.value === null) ||
      // The currency with the most holdings comes first.
      (countByCurrency.get(b.currency) ?? 0) - (countByCurrency.get(a.currency) ?? 0) ||
      (a.currency ?? '').localeCompare(b.currency ?? '') ||
      (b.value ?? 0) - (a.value ?? 0) ||
      a.symbol.localeCompare(b.symbol),
  );
}
