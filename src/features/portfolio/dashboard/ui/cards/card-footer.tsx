import { Icon } from '../../../../../ui/kit/icon.tsx';

interface CardFooterProps {
  isOpen: boolean;
  /** Total number of rows. */
  count: number;
  /** Plural noun of the rows. */
  noun: string;
  onToggle: () => void;
}

/** Shows the last line of a card with too many rows, which expands and collapses them. */
export function CardFooter({ isOpen, count, noun, onToggle }: CardFooterProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className={
        'mt-auto flex min-h-10 w-full items-center justify-center gap-1.5 border-t border-line ' +
        'text-small font-medium text-ink-soft -outline-offset-2 hover:bg-sunken hover:text-ink'
      }
    >
      {isOpen ? 'Show fewer' : `Show all ${count} ${noun}`}
      <span className={isOpen ? 'rotate-180' : ''}>
        <Icon name="chevron" size={12} />
      </span>
    </button>
  );
}
