import { useState } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { Dialog } from '../../../../ui/kit/dialog.tsx';
import type { ListState, WatchlistItem } from '../../contract.ts';
import { formatShortName } from '../../../securities/ui/shared/security-labels.ts';

/**
 * Asks for confirmation before a removal that cannot be undone. An undo adds the ticker again, which fails while the
 * list is at or over the limit of its plan. Returns the function to request a removal, and the dialog to render.
 */
export function useConfirmRemoval({ item_count: count, limit }: ListState, remove: (item: WatchlistItem) => void) {
  const [pendingRemoval, setPending] = useState<WatchlistItem | null>(null);
  const cancel = (): void => setPending(null);
  return {
    request: (item: WatchlistItem) => (count > limit ? setPending(item) : remove(item)),
    dialog: pendingRemoval && (
      <Dialog title={`Remove ${formatShortName(pendingRemoval)} from your watchlist?`} onClose={cancel}>
        <p id="confirm-removal" className="mt-2 text-ink-soft">
          {`This cannot be undone. Your plan includes ${limit} tickers and you have ${count} saved, so you can add it again ` +
            'only when there is room.'}
        </p>
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          <Button aria-describedby="confirm-removal" onClick={cancel}>
            Cancel
          </Button>
          <Button
            variant="danger"
            onClick={() => {
              cancel();
              remove(pendingRemoval);
            }}
          >
            Remove
          </Button>
        </div>
      </Dialog>
    ),
  };
}
