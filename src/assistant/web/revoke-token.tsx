import { notify } from '../../web/lib/notices.ts';
import { Button } from '../../web/ui/button.tsx';
import { Dialog } from '../../web/ui/dialog.tsx';
import { FormErrors } from '../../web/ui/form-errors.tsx';
import type { AssistantToken } from '../mcp/contract.ts';
import { useRevokeToken } from './token-requests.ts';

interface RevokeTokenProps {
  token: AssistantToken;
  onClose: () => void;
  onRevoked: () => void;
}

/** Asks before a token is revoked: there is no way back. */
export function RevokeToken({ token, onClose, onRevoked }: RevokeTokenProps) {
  const revoke = useRevokeToken();
  function confirm(): void {
    revoke.mutate(token, {
      onSuccess: () => {
        notify(`The token “${token.name}” is revoked.`, 'good');
        onClose();
        onRevoked();
      },
    });
  }
  return (
    <Dialog title={`Revoke “${token.name}”?`} onClose={onClose}>
      <p className="mt-2 mb-5 text-ink-soft">
        The assistant that uses it can read nothing from now on. A revoked token never works again.
      </p>
      {revoke.isError && (
        <div className="mb-4">
          <FormErrors problems={[{ field: null, message: revoke.error.message }]} title="The token was not revoked" />
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="quiet" onClick={onClose}>
          Keep it
        </Button>
        <Button look="danger" pending={revoke.isPending} onClick={confirm}>
          Revoke the token
        </Button>
      </div>
    </Dialog>
  );
}
