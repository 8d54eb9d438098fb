import { Icon } from '../../web/ui/icon.tsx';
import { preloadSearch } from './lazy-parts.ts';

/** Under a short list: where the next ticker would stand. */
export const AddRow = ({ onClick }: { onClick: () => void }) => (
  <button
    type="button"
    onClick={onClick}
    onPointerEnter={preloadSearch}
    onFocus={preloadSearch}
    className="flex h-13 w-full items-center gap-3 border-t border-line px-4 text-small font-medium text-ink-soft hover:bg-sunken hover:text-ink sm:px-5"
  >
    <span className="grid size-8 shrink-0 place-items-center rounded-control border border-dashed border-line-strong">
      <Icon name="plus" size={14} />
    </span>
    Add a ticker
  </button>
);
