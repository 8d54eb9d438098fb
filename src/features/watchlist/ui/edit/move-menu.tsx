import { useId } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { closeMenu, PopoverMenu } from '../../../../ui/kit/popover-menu.tsx';

interface MoveMenuProps {
  name: string;
  index: number;
  count: number;
  onMove: (to: number) => void;
}

/** Offers the alternatives to dragging: move up, down, to the top, to the bottom, or to a position. */
export function MoveMenu(props: MoveMenuProps) {
  const id = useId();
  return (
    <PopoverMenu menuId={id} icon="swap" label={`Move ${props.name}`} title="Move" variant="row">
      <MoveChoices {...props} close={() => closeMenu(id)} />
    </PopoverMenu>
  );
}

function MoveChoices({ name, index, count, onMove, close }: MoveMenuProps & { close: () => void }) {
  const lastIndex = count - 1;
  const moveTo = (to: number): void => {
    // The move runs before the menu closes. The focus then goes to the row's handle instead of the menu's button.
    if (to !== index) onMove(to);
    close();
  };
  const choices = [
    ['Move up', index - 1, index === 0],
    ['Move down', index + 1, index === lastIndex],
    ['Move to top', 0, index === 0],
    ['Move to bottom', lastIndex, index === lastIndex],
  ] as const;
  return (
    <div role="group" aria-label={`Move ${name}`}>
      {choices.map(([label, to, disabled]) => (
        <button
          key={label}
          type="button"
          disabled={disabled}
          onClick={() => moveTo(to)}
          className="panel-row disabled:cursor-default disabled:text-ink-faint disabled:opacity-60"
        >
          {label}
        </button>
      ))}
      <form
        className="flex items-center gap-2 border-t border-line px-3 pt-2 pb-1"
        onSubmit={(event) => {
          event.preventDefault();
          const requestedPosition = Number(new FormData(event.currentTarget).get('position'));
          if (Number.isInteger(requestedPosition) && requestedPosition >= 1)
            moveTo(Math.min(requestedPosition, count) - 1);
        }}
      >
        <label className="flex flex-1 items-center gap-2 text-body">
          To position
          <input
            name="position"
            type="number"
            min={1}
            max={count}
            required
            defaultValue={index + 1}
            className="field min-h-9 w-18"
          />
        </label>
        <Button type="submit" className="min-h-9">
          Move
        </Button>
      </form>
    </div>
  );
}
