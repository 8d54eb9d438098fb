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
  const consequence = accounts.length === 1 ? 'Its account is deleted' : `Its ${accounts.length} accounts are deleted`;
  return (
    <Dialog title={`Remove ${institution}?`} onClose={onClose}>
      <div id="confirm-removal" className="mt-3 grid gap-2 text-ink-soft">
        <p>
          {`${consequence} immediately, with their holdings and the names you gave. `}
          {`Tally’s access at ${institution} is revoked.`}
        </p>
        <p>Manual accounts, your watchlist and your net-worth history are kept.</p>
      </div>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button autoFocus aria-describedby="confirm-removal" onClick={onClose}>
          Cancel
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
