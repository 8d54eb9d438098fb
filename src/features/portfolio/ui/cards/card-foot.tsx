import { Icon } from '../../../../ui/kit/icon.tsx';

interface CardFootProps {
  open: boolean;
  /** How many rows there are in all. */
  count: number;
  /** What the rows are, in the plural. */
  noun: string;
  onToggle: () => void;
}

/** The last line of a card whose rows do not all fit: shows the rest, and fewer again. */
export function CardFoot({ open, count, noun, onToggle }: CardFootProps) {
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className={
        'mt-auto flex min-h-10 w-full items-center justify-center gap-1.5 border-t border-line ' +
        'text-small font-medium text-ink-soft -outline-offset-2 hover:bg-sunken hover:text-ink'
      }
    >
      {open ? 'Show fewer' : `Show all ${count} ${noun}`}
      <span className={open ? 'rotate-180' : ''}>
        <Icon name="chevron" size={12} />
      </span>
    </button>
  );
}
