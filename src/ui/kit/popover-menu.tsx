import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { IconButton, type IconButtonProps } from './icon-button.tsx';
import { positionPopover } from './position-popover.ts';

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
          if (newState !== 'open' || !anchor.current) return;
          currentTarget.style.width = 'max-content';
          positionPopover(currentTarget, anchor.current, 'end');
        }}
      >
        {isOpen && children}
      </div>
    </>
  );
}

export const closeMenu = (menuId: string): void => document.getElementById(menuId)?.hidePopover();
