import { memo } from 'react';
import { Icon } from '../../../../ui/kit/icon.tsx';
import { SecurityLogo } from '../../../../ui/shell/market/security-logo.tsx';
import type { WatchlistItem } from '../../contract.ts';
import { IconButton } from '../../../../ui/kit/icon-button.tsx';
import { shortName } from '../list/item-words.ts';
import { MoveMenu } from './move-menu.tsx';
import type { Drag, useSortableRows } from './sortable-rows.ts';

interface EditRowProps {
  item: WatchlistItem;
  index: number;
  count: number;
  drag: Drag | null;
  /** Pixels by which it stands aside, or follows the pointer. */
  shift: number;
  moves: boolean;
  handle: ReturnType<ReturnType<typeof useSortableRows>['handle']>;
  /** The limit, on the last row above the line; null elsewhere. */
  lastActive: number | null;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** One row of the edit list: handle, name, move menu, remove. */
export const EditRow = memo(
  function EditRow({ item, index, count, drag, shift, moves, handle, lastActive, onMove, onRemove }: EditRowProps) {
    const name = shortName(item);
    const taken = drag?.symbol === item.symbol;
    const motion = moves && !(taken && drag?.by === 'pointer') ? 'transition-transform duration-150' : '';
    return (
      <li
        className={
          `relative flex h-13 items-center gap-2.5 bg-raised ps-2 pe-3 ${motion} ` +
          // Rows off screen are not laid out. A row's shadow, and the word on the line, stand out of its box.
          `${taken || lastActive !== null ? '' : '[content-visibility:auto]'} ` +
          `${taken ? 'z-10 rounded-control shadow-raised outline-1 outline-line-strong' : ''} ` +
          `${lastActive === null ? 'border-b border-line' : 'border-b-2 border-accent'} ` +
          `${item.locked ? 'text-ink-faint' : ''}`
        }
        style={shift === 0 ? undefined : { transform: `translateY(${shift}px)` }}
      >
        <button
          type="button"
          data-handle={item.symbol}
          aria-label={`Reorder ${name}, position ${index + 1} of ${count}`}
          aria-pressed={taken}
          className={
            'grid size-9 shrink-0 touch-none place-items-center rounded-control text-ink-faint ' +
            `hover:text-ink ${taken ? 'cursor-grabbing' : 'cursor-grab'}`
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
            Locked
          </span>
        )}
        <MoveMenu name={name} index={index} count={count} onMove={onMove} />
        <IconButton icon="close" label={`Remove ${name}`} title="Remove" look="remove" onClick={onRemove} />
        {lastActive !== null && (
          <span
            className={
              'pointer-events-none absolute end-3 -bottom-2.5 z-10 rounded-full ' +
              'bg-accent px-2 text-micro font-medium text-on-accent'
            }
          >{`Active above this line (${lastActive})`}</span>
        )}
      </li>
    );
  },
  // Of 250 rows a step of a drag moves two: the others are left alone. What they do reads the list when it is asked.
  (a, b) =>
    a.item === b.item &&
    a.index === b.index &&
    a.count === b.count &&
    a.shift === b.shift &&
    a.moves === b.moves &&
    a.lastActive === b.lastActive &&
    (a.drag?.symbol === a.item.symbol) === (b.drag?.symbol === b.item.symbol),
);
