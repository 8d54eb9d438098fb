import type { CardId } from '../../investments/contract.ts';
import { Icon } from '../ui/icon.tsx';
import { cardNames } from './card-screens.ts';

export type CardAction = 'earlier' | 'later' | 'remove';

interface CardBarProps {
  id: CardId;
  isFirst: boolean;
  isLast: boolean;
  onAction: (action: CardAction) => void;
}

/** What stands above a card while the dashboard is arranged: one place earlier, one later, away. */
export function CardBar({ id, isFirst, isLast, onAction }: CardBarProps) {
  const name = cardNames[id];
  const button = 'grid size-8 place-items-center rounded-control text-ink-soft hover:bg-surface hover:text-ink aria-disabled:opacity-35';
  return (
    <div role="group" aria-label={`Arrange ${name}`} className="mb-1.5 flex items-center rounded-control bg-sunken ps-3 pe-1">
      <p aria-hidden="true" className="flex-1 truncate text-small font-medium text-ink-soft">
        {name}
      </p>
      <button type="button" data-action="earlier" aria-label={`Move ${name} earlier`} aria-disabled={isFirst || undefined} className={button} onClick={() => !isFirst && onAction('earlier')}>
        <span className="rotate-180">
          <Icon name="arrow" />
        </span>
      </button>
      <button type="button" data-action="later" aria-label={`Move ${name} later`} aria-disabled={isLast || undefined} className={button} onClick={() => !isLast && onAction('later')}>
        <Icon name="arrow" />
      </button>
      <button type="button" data-action="remove" aria-label={`Remove ${name}`} className={button} onClick={() => onAction('remove')}>
        <Icon name="close" />
      </button>
    </div>
  );
}
