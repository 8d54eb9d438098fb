import { useId } from 'react';
import { Button } from '../../web/ui/button.tsx';

interface AskDeletionProps {
  words: string;
  verb: string;
  pending: boolean;
  onKeep: () => void;
  onDelete: () => void;
}

/** Asks in the place of what would be deleted. */
export function AskDeletion({ words, verb, pending, onKeep, onDelete }: AskDeletionProps) {
  const id = useId();
  return (
    <div className="grid gap-2 px-2 py-2">
      <p id={id} className="text-small">
        {words}
      </p>
      <div className="flex flex-wrap gap-2">
        {/* Pressing once more what asked must not delete. */}
        <Button autoFocus aria-describedby={id} onClick={onKeep}>
          Keep
        </Button>
        <Button look="danger" pending={pending} onClick={onDelete}>
          {verb}
        </Button>
      </div>
    </div>
  );
}
