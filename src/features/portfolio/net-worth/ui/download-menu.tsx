import { useId } from 'react';
import { closeMenu, PopoverMenu } from '../../../../ui/kit/popover-menu.tsx';
import { showToast } from '../../../../ui/kit/toasts.ts';
import { downloadFile } from '../../../../ui/shell/api/download-file.ts';

interface DownloadMenuProps {
  file: 'GET /api/investments/holdings/export.csv' | 'GET /api/net-worth/export.csv';
  /** Name of the menu, such as "More for net worth". */
  label: string;
}

/** Menu that downloads what is beside it as a CSV file. A toast shows a failure. */
export function DownloadMenu({ file, label }: DownloadMenuProps) {
  const id = useId();

  return (
    <PopoverMenu menuId={id} icon="more" label={label}>
      <button
        type="button"
        className="panel-row"
        onClick={() => {
          closeMenu(id);
          downloadFile(file).catch((error: Error) => showToast(`Could not download the file. ${error.message}`, 'bad'));
        }}
      >
        Download CSV
      </button>
    </PopoverMenu>
  );
}
