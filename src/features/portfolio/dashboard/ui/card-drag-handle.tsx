import type { DashboardCard } from './shared/dashboard-card.ts';
import { Icon } from '../../../../ui/kit/icon.tsx';
import { useLayoutEditor } from './use-layout-editor.ts';
import { type CardDrag, useDragCards } from './use-drag-cards.ts';

export interface CardDragHandleProps {
  card: DashboardCard;
  /** All cards on the page, in order. */
  cards: readonly DashboardCard[];
  /** Called with the dragged card whenever its target position changes. */
  onDrag: (drag: CardDrag | null) => void;
  /** Announces a change to screen readers. */
  onAnnounce: (text: string) => void;
}

/** Cards are beside each other, and below each other on phones. */
const directionClasses = { earlier: 'rotate-180 max-[48rem]:-rotate-90', later: 'max-[48rem]:rotate-90' } as const;

/** Shows the bar above a card in edit mode: its name as a drag handle, and buttons to move or remove the card. */
export default function CardDragHandle({ card, cards, onDrag, onAnnounce }: CardDragHandleProps) {
  const { id, title: name } = card;
  const ids = cards.map((otherCard) => otherCard.id);
  const { applyAction, moveTo } = useLayoutEditor(cards, onAnnounce);
  const getHandleProps = useDragCards(ids, moveTo, onDrag);
  const index = ids.indexOf(id);
  const actions = [
    { action: 'earlier', label: `Move ${name} earlier`, isAtEnd: index === 0 },
    { action: 'later', label: `Move ${name} later`, isAtEnd: index === ids.length - 1 },
    { action: 'remove', label: `Remove ${name}`, isAtEnd: false },
  ] as const;
  return (
    <div
      role="group"
      aria-label={`Arrange ${name}`}
      className="mb-1.5 flex items-center rounded-control bg-sunken pe-1"
    >
      <p
        aria-hidden="true"
        {...getHandleProps(id)}
        className={
          'flex min-h-8 min-w-0 flex-1 cursor-grab touch-none items-center gap-2 ps-2 text-small ' +
          'font-medium text-ink-soft select-none active:cursor-grabbing'
        }
      >
        <Icon name="grip" />
        <span className="truncate">{name}</span>
      </p>
      {actions.map(({ action, label, isAtEnd }) => (
        <button
          key={action}
          type="button"
          data-action={action}
          aria-label={label}
          aria-disabled={isAtEnd || undefined}
          className={
            'grid size-8 place-items-center rounded-control text-ink-soft hover:bg-surface hover:text-ink ' +
            'aria-disabled:opacity-35'
          }
          onClick={() => !isAtEnd && applyAction(id, action)}
        >
          <span className={action === 'remove' ? '' : directionClasses[action]}>
            <Icon name={action === 'remove' ? 'close' : 'arrow'} />
          </span>
        </button>
      ))}
    </div>
  );
}
