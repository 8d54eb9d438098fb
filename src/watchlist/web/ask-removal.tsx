import { type ReactNode, useState } from 'react';
import { Button } from '../../web/ui/button.tsx';
import { Dialog } from '../../web/ui/dialog.tsx';
import type { ListState, WatchlistItem } from '../contract.ts';
import { shortName } from './item-words.ts';

interface RemovalQuestion {
  /** Removes the row, or asks first. */
  remove: (item: WatchlistItem) => void;
  /** The question, drawn where the list stands. */
  question: ReactNode;
}

/**
 * Asks before a removal that cannot be taken back. An undo is an add and obeys the limit like every other: a list that
 * is longer than its plan still has no room for the row that has just left it.
 */
export function useRemovalQuestion(list: ListState, remove: (item: WatchlistItem) => void): RemovalQuestion {
  const [pending, setPending] = useState<WatchlistItem | null>(null);
  const answer = (item: WatchlistItem | null): void => {
    setPending(null);
    if (item) remove(item);
  };
  return {
    remove: (item) => (list.item_count > list.limit ? setPending(item) : remove(item)),
    question: pending && <Question item={pending} list={list} onAnswer={(yes) => answer(yes ? pending : null)} />,
  };
}

function Question({
  item,
  list: { item_count: count, limit },
  onAnswer,
}: {
  item: WatchlistItem;
  list: ListState;
  onAnswer: (yes: boolean) => void;
}) {
  return (
    <Dialog title={`Remove ${shortName(item)}?`} onClose={() => onAnswer(false)}>
      <p id="ask-removal" className="mt-2 text-ink-soft">
        {`This cannot be undone: your plan holds ${limit} tickers and ${count} are saved, so what is removed can ` +
          'be added again only once there is room.'}
      </p>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button aria-describedby="ask-removal" onClick={() => onAnswer(false)}>
          Keep it
        </Button>
        <Button look="danger" onClick={() => onAnswer(true)}>
          Remove
        </Button>
      </div>
    </Dialog>
  );
}
