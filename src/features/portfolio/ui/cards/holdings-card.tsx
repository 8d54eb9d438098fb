import { useState } from 'react';
import { connectionsByAccount, useConnections } from '../../../../ui/shell/connections/connections-query.ts';
import { formatChange, formatMoney } from '../../../../ui/kit/formats.ts';
import { lazyPart, LazyPart } from '../../../../ui/shell/loading/lazy-part.tsx';
import { formatPrice, formatQuantity } from '../../../../ui/shell/market/price-formats.ts';
import { PrivateFigure } from '../../../../ui/kit/private-figure.tsx';
import { SecurityLogo } from '../../../../ui/shell/market/security-logo.tsx';
import { Icon } from '../../../../ui/kit/icon.tsx';
import type { Position, UnlistedHolding } from '../../contract.ts';
import { CardFoot } from './card-foot.tsx';
import { useHoldings, usePositions } from '../card-queries.ts';
import type { CardProps } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { CardShell, RowSkeleton } from './card-shell.tsx';
import { EmptyCard } from './empty-card.tsx';

const FIRST_ROWS = 6;
const holdingPart = lazyPart('The holding', () => import('../holding-dialog.tsx'));
const accountsPart = lazyPart('The list of accounts', () => import('../accounts-dialog.tsx'));

const noHoldings = <EmptyCard title="Nothing here yet" text="What you own stands here with its value." />;

/** The dashboard's card `holdings`: what is owned, the most valuable first. */
export function HoldingsCard({ privacy, has, onConnect }: CardProps) {
  const [open, setOpen] = useState(false);
  const [edited, setEdited] = useState<Position | 'accounts' | null>(null);
  const close = (): void => setEdited(null);
  const connected = connectionsByAccount(useConnections().data);
  // Only what was connected can be unlisted.
  const unlisted = useHoldings(connected.size > 0).data?.unlisted ?? [];
  const query = usePositions();
  const isEmpty = query.data ? query.data.positions.length + unlisted.length === 0 : !has.holdings;
  return (
    <>
      {edited === 'accounts' && (
        <LazyPart part={accountsPart} props={{ privacy, onConnect, onClose: close }} className="mb-2" onClose={close} />
      )}
      {edited !== null && edited !== 'accounts' && (
        <LazyPart
          part={holdingPart}
          props={{ position: edited, privacy, onClose: close }}
          className="mb-2"
          onClose={close}
        />
      )}
      <CardShell
        title="Holdings"
        query={query}
        actions={<AccountsButton small={isEmpty} onClick={() => setEdited('accounts')} />}
        skeleton={has.holdings ? <RowSkeleton rows={FIRST_ROWS} /> : noHoldings}
      >
        {({ positions }) => {
          const count = positions.length + unlisted.length;
          if (count === 0) return noHoldings;
          return (
            <>
              <ul aria-label="Holdings" className="min-w-0">
                {[...sortPositions(positions), ...unlisted]
                  .slice(0, open ? count : FIRST_ROWS)
                  .map((row) =>
                    'symbol' in row ? (
                      <HoldingRow
                        key={row.symbol}
                        position={row}
                        isConnected={row.accounts.some(({ account_id: id }) => connected.has(id))}
                        privacy={privacy}
                        onEdit={() => setEdited(row)}
                      />
                    ) : (
                      <UnlistedRow key={row.id} holding={row} privacy={privacy} />
                    ),
                  )}
              </ul>
              {count > FIRST_ROWS && (
                <CardFoot open={open} count={count} noun="holdings" onToggle={() => setOpen(!open)} />
              )}
            </>
          );
        }}
      </CardShell>
    </>
  );
}

/** On a phone a drawing while the card is `small`: the word has no room beside the title there. */
function AccountsButton({ small, onClick }: { small: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      title={small ? 'Accounts' : undefined}
      className={
        '-me-2 min-h-9 rounded-control px-2 text-small font-medium text-ink-soft hover:bg-sunken hover:text-ink ' +
        (small ? 'max-sm:px-1.5' : '')
      }
      {...accountsPart.preloadProps}
      onClick={onClick}
    >
      {small && (
        <span className="sm:hidden">
          <Icon name="bank" size={20} />
        </span>
      )}
      <span className={small ? 'max-sm:sr-only' : ''}>Accounts</span>
    </button>
  );
}

const rowClass = 'relative flex h-13 items-center gap-3 border-t border-line px-4 first:border-transparent sm:px-5';

/** A connected holding that no catalog lists: it counts by what its institution says. */
function UnlistedRow({ holding, privacy }: { holding: UnlistedHolding; privacy: boolean }) {
  const { name, quantity, account_name: account, value, currency } = holding;
  return (
    <li className={rowClass}>
      <SecurityLogo symbol={name} logo={null} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{name}</p>
        <p className="truncate text-small text-ink-faint">
          <PrivateFigure hidden={privacy} mask="88">
            {formatQuantity(quantity)}
          </PrivateFigure>
          {` in ${account}`}
          <ConnectedMark />
        </p>
      </div>
      <p className="shrink-0 font-medium">
        {value === null ? (
          <span className="text-small text-ink-faint">No value yet</span>
        ) : (
          <PrivateFigure hidden={privacy}>{formatMoney(value, currency)}</PrivateFigure>
        )}
      </p>
    </li>
  );
}

const ConnectedMark = () => (
  <span className="ms-1.5 inline-block align-[-0.125em]">
    <Icon name="swap" size={12} />
    <span className="sr-only">, connected</span>
  </span>
);

interface HoldingRowProps {
  position: Position;
  /** Some of it came with a connection. */
  isConnected: boolean;
  privacy: boolean;
  onEdit: () => void;
}

function HoldingRow({ position, isConnected, privacy, onEdit }: HoldingRowProps) {
  const { symbol, name, logo, price, value, currency, change_1d: change, quantity } = position;
  const tone = change === null || change === 0 ? 'text-ink-faint' : change > 0 ? 'text-gain' : 'text-loss';
  const [figure, ofPar] = price === null ? [] : formatPrice(price, position).split(/ (?=of par$)/);
  return (
    <li className={`${rowClass} hover:bg-sunken`}>
      <SecurityLogo symbol={symbol} logo={logo} />
      <div className="min-w-0 flex-1">
        <div className="flex justify-between gap-3">
          {/* Words without room are left out whole. */}
          <p className="h-[1lh] min-w-0 overflow-hidden">
            <button
              type="button"
              aria-haspopup="dialog"
              className="font-semibold after:absolute after:inset-0 after:content-['']"
              {...holdingPart.preloadProps}
              onClick={onEdit}
            >
              {symbol}
              <span className="sr-only">{` ${name ?? ''}`}</span>
            </button>
            <span className="ms-2 text-small text-ink-faint">
              <span className="whitespace-nowrap">
                <PrivateFigure hidden={privacy} mask="88">
                  {formatQuantity(quantity)}
                </PrivateFigure>
                {figure !== undefined && ` × ${figure}`}
                {isConnected && <ConnectedMark />}
              </span>
              {ofPar && (
                <>
                  {' '}
                  <span className="whitespace-nowrap">{ofPar}</span>
                </>
              )}
            </span>
          </p>
          <p className="shrink-0 font-medium">
            {value === null ? (
              <span className="text-small text-ink-faint">No price yet</span>
            ) : (
              <PrivateFigure hidden={privacy}>{formatMoney(value, currency ?? 'USD')}</PrivateFigure>
            )}
          </p>
        </div>
        {/* The whole line: names of bonds differ in their last words. */}
        <div className="flex justify-between gap-3 text-small">
          <p aria-hidden="true" className="min-w-0 truncate text-ink-soft">
            {name}
          </p>
          <p className={`shrink-0 ${tone}`}>
            <span className="sr-only">Day's change: </span>
            {change === null ? '–' : formatChange(change)}
          </p>
        </div>
      </div>
    </li>
  );
}

/**
 * The most valuable first, one currency after the other: amounts of two currencies cannot be compared. What has no
 * price is last.
 */
function sortPositions(positions: readonly Position[]): Position[] {
  const holders = new Map<string | null, number>();
  for (const { currency } of positions) holders.set(currency, (holders.get(currency) ?? 0) + 1);
  return positions.toSorted(
    (a, b) =>
      Number(a.value === null) - Number(b.value === null) ||
      // The currency that most holdings are in leads.
      (holders.get(b.currency) ?? 0) - (holders.get(a.currency) ?? 0) ||
      (a.currency ?? '').localeCompare(b.currency ?? '') ||
      (b.value ?? 0) - (a.value ?? 0) ||
      a.symbol.localeCompare(b.symbol),
  );
}
