import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { IconButton, type IconButtonProps } from './icon-button.tsx';

interface PopoverMenuProps extends IconButtonProps {
  /** Names the menu, for `closeMenu`. */
  menuId: string;
}

/**
 * A button and the menu under it, its children, which are drawn as long as it is open. The platform closes it on Escape
 * and on a press elsewhere.
 */
export function PopoverMenu({ menuId, children, ...button }: PopoverMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton ref={anchor} popoverTarget={menuId} {...button} />
      <div
        id={menuId}
        popover="auto"
        className="panel"
        onToggle={({ currentTarget, newState }) => {
          // Drawn before it is measured.
          flushSync(() => setIsOpen(newState === 'open'));
          if (newState === 'open' && anchor.current) positionBelow(currentTarget, anchor.current);
        }}
      >
        {isOpen && children}
      </div>
    </>
  );
}

export const closeMenu = (menuId: string): void => document.getElementById(menuId)?.hidePopover();

/** Puts it under its button, inside the window. Styles by script: the policy allows no others. */
function positionBelow(popover: HTMLElement, anchor: HTMLElement): void {
  const box = anchor.getBoundingClientRect();
  const fitsBelow = box.bottom + 4 + popover.offsetHeight <= window.innerHeight;
  popover.style.inset = 'auto';
  popover.style.width = 'max-content';
  popover.style.top = `${fitsBelow ? box.bottom + 4 : Math.max(8, box.top - 4 - popover.offsetHeight)}px`;
  popover.style.left = `${Math.max(8, box.right - popover.offsetWidth)}px`;
}
