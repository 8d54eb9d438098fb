import { useState } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { Dialog } from '../../../../ui/kit/dialog.tsx';
import type { ListState, WatchlistItem } from '../../contract.ts';
import { formatShortName } from './item-labels.ts';

/**
 * Asks before a removal that cannot be taken back. An undo is an add and obeys the limit like every other: a list that
 * is longer than its plan still has no room for the row that has just left it. Returns what removes the row, or asks
 * first, and the question, to be drawn where the list stands.
 */
export function useConfirmRemoval({ item_count: count, limit }: ListState, remove: (item: WatchlistItem) => void) {
  const [pendingRemoval, setPending] = useState<WatchlistItem | null>(null);
  const cancel = (): void => setPending(null);
  return {
    remove: (item: WatchlistItem) => (count > limit ? setPending(item) : remove(item)),
    dialog: pendingRemoval && (
      <Dialog title={`Remove ${formatShortName(pendingRemoval)}?`} onClose={cancel}>
        <p id="ask-removal" className="mt-2 text-ink-soft">
          {`This cannot be undone: your plan holds ${limit} tickers and ${count} are saved, so what is removed can ` +
            'be added again only once there is room.'}
        </p>
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          <Button aria-describedby="ask-removal" onClick={cancel}>
            Keep it
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
