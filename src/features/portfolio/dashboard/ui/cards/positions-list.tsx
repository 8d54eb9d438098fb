import { formatMoney, formatPercent } from '../../../../../ui/kit/formats.ts';
import { Explained } from '../../../explain/ui/explained.tsx';
import type { HoldingTarget } from '../../../explain/ui/explained-figure.ts';
import { formatPriceOf, formatQuantity } from '../../../../../ui/kit/price-formats.ts';
import { MaskedAmount } from '../../../../../ui/kit/masked-amount.tsx';
import { joinTabStops } from '../../../../../ui/kit/join-tab-stops.ts';
import { SecurityLogo } from '../../../../securities/ui/shared/security-logo.tsx';
import { SecurityLink } from '../../../../../ui/shell/navigation/security-link.tsx';
import { DayChange, TotalGain } from '../../../holdings/ui/holding-changes.tsx';
import { ConnectedIcon } from '../../../holdings/ui/connected-icon.tsx';
import { type ListPlace, RowBlocks } from '../../../holdings/ui/page/row-blocks.tsx';
import { type HeldPosition } from '../../../holdings/ui/page/list-positions.ts';

export interface PositionsListProps {
  positions: readonly HeldPosition[];
  isConnected: (position: HeldPosition) => boolean;
  privacy: boolean;
}

/** Shows positions in rows of three lines, for a card that is too narrow for their table. */
export const PositionsList = ({ positions, isConnected, privacy }: PositionsListProps) => (
  <div role="list" aria-label="Holdings" className="min-w-0 flex-1">
    <RowBlocks rows={positions} total={positions.length} rowsAbove={0} getHeight={() => 4.75}>
      {(position, index) => (
        <PositionRow
          key={position.key}
          position={position}
          isConnected={isConnected(position)}
          privacy={privacy}
          aria-posinset={index + 1}
          aria-setsize={positions.length}
        />
      )}
    </RowBlocks>
  </div>
);

const rowClass = 'relative flex h-19 items-center gap-3 border-t px-4 hover:bg-sunken sm:px-5';

interface PositionRowProps extends ListPlace {
  position: HeldPosition;
  /** True if a part of the position is connected. */
  isConnected: boolean;
  privacy: boolean;
}

/** Shows a position as a link over the whole row to its security. One that the catalog does not list is no link. */
function PositionRow({ position, isConnected, privacy, ...place }: PositionRowProps) {
  const { ids, symbol, name, logo, price, value, currency, quantity, weight, partial } = position;
  const title = symbol ?? name;
  const explained: HoldingTarget = { of: 'selection', ids, name: title };
  const [figure, parSuffix] =
    price === null
      ? []
      : formatPriceOf(price, { ...position, currency: position.priceCurrency }, [quantity]).split(/ (?=of par$)/);
  return (
    <div
      role="listitem"
      ref={joinTabStops}
      {...place}
      className={`${rowClass} ${place['aria-posinset'] === 1 ? 'border-transparent' : 'border-line'}`}
    >
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
                {formatPercent(weight)} <span className="whitespace-nowrap">of holdings</span>
              </Explained>
            )}
          </p>
          <p className="shrink-0">
            <TotalGain holding={position} isPartial={partial.gain} privacy={privacy} explained={explained} />
          </p>
        </div>
      </div>
    </div>
  );
}
