import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { IconButton, type IconButtonProps } from './icon-button.tsx';

interface PopoverMenuProps extends IconButtonProps {
  /** Id of the menu, for `closeMenu`. */
  menuId: string;
}

/**
 * Button with a menu. The children are rendered only while the menu is open. The browser closes the menu on Escape and
 * on an outside press.
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
          // The menu must be rendered before it is measured.
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

/**
 * Positions the popover below its button, inside the window. The content security policy allows only styles that a
 * script sets.
 */
function positionBelow(popover: HTMLElement, anchor: HTMLElement): void {
  const box = anchor.getBoundingClientRect();
  const fitsBelow = box.bottom + 4 + popover.offsetHeight <= window.innerHeight;
  popover.style.inset = 'auto';
  popover.style.width = 'max-content';
  popover.style.top = `${fitsBelow ? box.bottom + 4 : Math.max(8, box.top - 4 - popover.offsetHeight)}px`;
  popover.style.left = `${Math.max(8, box.right - popover.offsetWidth)}px`;
}
