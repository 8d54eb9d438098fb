import { useId } from 'react';
import { showToast } from '../../../../ui/kit/toasts.ts';
import type { Watchlist } from '../../contract.ts';
import { capture } from '../list/capture.ts';
import { downloadFile } from '../../../../ui/shell/api/download-file.ts';
import { closeMenu, PopoverMenu } from '../../../../ui/kit/popover-menu.tsx';

/** Menu with the import and export of the list. */
export function MoreMenu({
  list,
  onImport,
  onShortcuts,
}: {
  list: Watchlist;
  onImport: () => void;
  onShortcuts: () => void;
}) {
  const id = useId();

  async function download(): Promise<void> {
    try {
      await downloadFile('GET /api/watchlist/export.csv');
      capture('watchlist_exported', list);
    } catch (error) {
      showToast(`Could not download the list. ${error instanceof Error ? error.message : ''}`, 'bad');
    }
  }

  const choices = [
    { label: 'Import tickers', run: onImport },
    ...(list.item_count > 0
      ? [
          {
            label: 'Download CSV',
            run: () => {
              void download();
            },
          },
        ]
      : []),
    { label: 'Keyboard shortcuts', run: onShortcuts },
  ];
  return (
    <PopoverMenu menuId={id} icon="more" label="More">
      {choices.map(({ label, run }) => (
        <button
          key={label}
          type="button"
          className="panel-row"
          onClick={() => {
            closeMenu(id);
            run();
          }}
        >
          {label}
        </button>
      ))}
    </PopoverMenu>
  );
}
