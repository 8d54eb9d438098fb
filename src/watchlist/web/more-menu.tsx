import { useId, useRef } from 'react';
import { notify } from '../../web/lib/notices.ts';
import { Icon } from '../../web/ui/icon.tsx';
import type { Watchlist } from '../contract.ts';
import { capture } from './capture.ts';
import { exportList } from './export-list.ts';

/** What is rarely needed: take a list in, take the list out. */
export function MoreMenu({ list, onImport, onKeys }: { list: Watchlist; onImport: () => void; onKeys: () => void }) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  function close(): void {
    menu.current?.hidePopover();
  }

  async function download(): Promise<void> {
    close();
    try {
      await exportList();
      capture('watchlist_exported', list);
    } catch (error) {
      notify(`The list was not exported. ${error instanceof Error ? error.message : ''}`, 'bad');
    }
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-label="More"
        title="More"
        className="grid size-9 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
      >
        <Icon name="more" />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="panel"
        onToggle={(event) => {
          if (event.newState === 'open') placeBelow(event.currentTarget, button.current);
        }}
      >
        <button
          type="button"
          className="panel-row"
          onClick={() => {
            close();
            onImport();
          }}
        >
          Import tickers
        </button>
        {list.item_count > 0 && (
          <button type="button" className="panel-row" onClick={() => void download()}>
            Export as CSV
          </button>
        )}
        <button
          type="button"
          className="panel-row"
          onClick={() => {
            close();
            onKeys();
          }}
        >
          Keyboard shortcuts
        </button>
      </div>
    </>
  );
}

/**
 * Puts an open popover under the button that it belongs to, inside the window. Styles by script: the policy allows no
 * others.
 */
export function placeBelow(popover: HTMLElement, anchor: HTMLElement | null): void {
  if (!anchor) return;
  const box = anchor.getBoundingClientRect();
  const below = box.bottom + 4 + popover.offsetHeight <= window.innerHeight;
  popover.style.inset = 'auto';
  popover.style.width = 'max-content';
  popover.style.top = `${below ? box.bottom + 4 : Math.max(8, box.top - 4 - popover.offsetHeight)}px`;
  popover.style.left = `${Math.max(8, box.right - popover.offsetWidth)}px`;
}
