import { Button } from '../../../ui/kit/button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import type { Connection } from '../contract.ts';

interface RemoveDialogProps {
  connection: Connection;
  onRemove: () => void;
  onClose: () => void;
}

/** Confirms the removal of a connection and lists what is deleted and what is kept. */
export default function RemoveDialog({ connection, onRemove, onClose }: RemoveDialogProps) {
  const { institution, accounts } = connection;
  const consequence = accounts.length === 1 ? 'Its account goes' : `Its ${accounts.length} accounts go`;
  return (
    <Dialog title={`Remove ${institution}?`} onClose={onClose}>
      <div id="ask-removal" className="mt-3 grid gap-2 text-ink-soft">
        <p>
          {`${consequence} at once, with what is held there and the names you gave. `}
          {`Tally’s access at ${institution} is ended.`}
        </p>
        <p>What you keep by hand, your watchlist and the history of your net worth stay.</p>
      </div>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button autoFocus aria-describedby="ask-removal" onClick={onClose}>
          Keep it
        </Button>
        <Button
          variant="danger"
          onClick={() => {
            onClose();
            onRemove();
          }}
        >
          Remove the connection
        </Button>
      </div>
    </Dialog>
  );
}
