import { notify } from '../../web/lib/notices.ts';
import { Button } from '../../web/ui/button.tsx';
import { Dialog } from '../../web/ui/dialog.tsx';
import { FormErrors } from '../../web/ui/form-errors.tsx';
import type { ApiKey } from '../contract.ts';
import { useRevokeKey } from './key-requests.ts';

/** Asks before a key is revoked: there is no way back. */
export function RevokeKey({
  apiKey,
  onClose,
  onRevoked,
}: {
  apiKey: ApiKey;
  onClose: () => void;
  onRevoked: () => void;
}) {
  const revoke = useRevokeKey();
  function confirm(): void {
    revoke.mutate(apiKey, {
      onSuccess: () => {
        notify(`The key “${apiKey.name}” is revoked.`, 'good');
        onClose();
        onRevoked();
      },
    });
  }
  return (
    <Dialog title={`Revoke “${apiKey.name}”?`} onClose={onClose}>
      <p className="mt-2 mb-5 text-ink-soft">
        Programs that use it are refused from now on. A revoked key never works again.
      </p>
      {revoke.isError && (
        <div className="mb-4">
          <FormErrors problems={[{ field: null, message: revoke.error.message }]} title="The key was not revoked" />
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="quiet" onClick={onClose}>
          Keep it
        </Button>
        <Button look="danger" pending={revoke.isPending} onClick={confirm}>
          Revoke the key
        </Button>
      </div>
    </Dialog>
  );
}
