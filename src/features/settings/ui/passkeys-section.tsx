import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../ui/kit/button.tsx';
import { Card } from '../../../ui/kit/card.tsx';
import { formatDay, formatMoment } from '../../../ui/kit/formats.ts';
import { usePasskeySupport } from '../../../ui/shell/session/passkey-support.ts';
import { type AccountPasskey, accountPasskeysQuery } from './account-passkeys.ts';
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';
import { QueryContent } from './query-content.tsx';

/** Lists the member's passkeys with their controls, where the browser and the site offer passkeys. */
export function PasskeysSection() {
  if (usePasskeySupport() !== 'yes') return null;
  return (
    <Card title="Passkeys">
      <PasskeyList />
    </Card>
  );
}

type OpenDialog = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: AccountPasskey };

function PasskeyList() {
  const passkeys = useQuery(accountPasskeysQuery);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const close = (): void => setDialog(null);
  return (
    <>
      <QueryContent query={passkeys} lines={3} label="Loading your passkeys">
        {(list) => (
          <>
            <p className="mb-4 text-ink-soft">
              Sign in with your fingerprint, face or device PIN instead of your password.
            </p>
            {list.length > 0 && (
              <ul aria-label="Your passkeys" className="mb-4 divide-y divide-line border-y border-line">
                {list.map((passkey) => (
                  <PasskeyRow
                    key={passkey.id}
                    passkey={passkey}
                    onRename={() => setDialog({ kind: 'rename', passkey })}
                    onRemove={() => setDialog({ kind: 'remove', passkey })}
                  />
                ))}
              </ul>
            )}
            <Button onClick={() => setDialog({ kind: 'add' })}>Add a passkey</Button>
          </>
        )}
      </QueryContent>
      {dialog?.kind === 'add' && <AddPasskeyDialog onClose={close} />}
      {dialog?.kind === 'rename' && <RenamePasskeyDialog passkey={dialog.passkey} onClose={close} />}
      {dialog?.kind === 'remove' && <RemovePasskeyDialog passkey={dialog.passkey} onClose={close} />}
    </>
  );
}

interface PasskeyRowProps {
  passkey: AccountPasskey;
  onRename: () => void;
  onRemove: () => void;
}

function PasskeyRow({ passkey: { name, createdAt, lastUsedAt }, onRename, onRemove }: PasskeyRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2">
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-small text-ink-soft">
          Added {formatDay(createdAt)} ·{' '}
          {lastUsedAt === null ? 'not used yet' : `last used ${formatMoment(lastUsedAt)}`}
        </p>
      </div>
      <div className="flex gap-2">
        <Button aria-label={`Rename ${name}`} onClick={onRename}>
          Rename
        </Button>
        <Button variant="danger" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </li>
  );
}
