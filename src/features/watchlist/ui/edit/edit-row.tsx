import { memo } from 'react';
import { Icon } from '../../../../ui/kit/icon.tsx';
import { SecurityLogo } from '../../../securities/ui/shared/security-logo.tsx';
import type { WatchlistItem } from '../../contract.ts';
import { IconButton } from '../../../../ui/kit/icon-button.tsx';
import { formatShortName } from '../../../securities/ui/shared/security-labels.ts';
import { MoveMenu } from './move-menu.tsx';
import type { Drag, useSortableList } from './use-sortable-list.ts';

interface EditRowProps {
  item: WatchlistItem;
  index: number;
  count: number;
  drag: Drag | null;
  /** Offset in px while the row makes room or follows the pointer. */
  translateY: number;
  isAnimated: boolean;
  handle: ReturnType<ReturnType<typeof useSortableList>['getHandleProps']>;
  /** Plan limit, on the last row above the limit line. null on other rows. */
  activeLimit: number | null;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** Shows one row of the edit list: handle, name, move menu, remove button. */
export const EditRow = memo(
  function EditRow({
    item,
    index,
    count,
    drag,
    translateY,
    isAnimated,
    handle,
    activeLimit,
    onMove,
    onRemove,
  }: EditRowProps) {
    const name = formatShortName(item);
    const isPickedUp = drag?.symbol === item.symbol;
    const motionClass =
      isAnimated && !(isPickedUp && drag?.input === 'pointer') ? 'transition-transform duration-150' : '';
    return (
      <li
        className={
          `relative flex h-13 items-center gap-2 bg-raised ps-2 pe-3 ${motionClass} ` +
          // Rows outside the viewport are not laid out. The shadow of a row and the text on the limit line overflow the
          // row's box.
          `${isPickedUp || activeLimit !== null ? '' : '[content-visibility:auto]'} ` +
          `${isPickedUp ? 'z-10 rounded-control shadow-raised outline-1 outline-line-strong' : ''} ` +
          `${activeLimit === null ? 'border-b border-line' : 'border-b-2 border-accent'} ` +
          `${item.locked ? 'text-ink-faint' : ''}`
        }
        style={translateY === 0 ? undefined : { transform: `translateY(${translateY}px)` }}
      >
        <button
          type="button"
          data-handle={item.symbol}
          aria-label={`Reorder ${name}, position ${index + 1} of ${count}`}
          aria-pressed={isPickedUp}
          className={
            'grid size-9 shrink-0 touch-none place-items-center rounded-control text-ink-faint ' +
            `hover:text-ink ${isPickedUp ? 'cursor-grabbing' : 'cursor-grab'}`
          }
          {...handle}
        >
          <Icon name="grip" />
        </button>
        <span className={item.locked ? 'grayscale [&_img]:opacity-50' : ''}>
          <SecurityLogo symbol={item.symbol} logo={item.logo} />
        </span>
        <div className="min-w-0 flex-1">
          <p className="truncate text-body font-semibold">{item.symbol}</p>
          <p className="truncate text-micro text-ink-faint">{item.name ?? item.symbol}</p>
        </div>
        {item.locked && (
          <span className="inline-flex items-center gap-1 text-micro">
            <Icon name="lock" size={12} />
            {/* On a phone the text would leave no space for the symbol. */}
            <span className="sr-only sm:not-sr-only">Locked</span>
          </span>
        )}
        <MoveMenu name={name} index={index} count={count} onMove={onMove} />
        <IconButton icon="close" label={`Remove ${name}`} title="Remove" variant="remove" onClick={onRemove} />
        {activeLimit !== null && (
          <span
            className={
              'pointer-events-none absolute end-3 -bottom-2.5 z-10 rounded-full ' +
              'bg-accent px-2 text-micro font-medium text-on-accent'
            }
          >{`Active above this line (${activeLimit})`}</span>
        )}
      </li>
    );
  },
  // A drag step moves two of 250 rows, and the others need no rendering. The handlers read the current list when
  // called.
  (a, b) =>
    a.item === b.item &&
    a.index === b.index &&
    a.count === b.count &&
    a.translateY === b.translateY &&
    a.isAnimated === b.isAnimated &&
    a.activeLimit === b.activeLimit &&
    (a.drag?.symbol === a.item.symbol) === (b.drag?.symbol === b.item.symbol),
);
