import type { UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { showToast } from './toasts.ts';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FormErrors } from './form-errors.tsx';

/** Stored data of a secret, to recognize and revoke the secret. */
interface NamedSecret {
  id: string;
  name: string;
}

interface SecretDescription {
  /** Why the secret is no longer valid. null while it is valid. */
  endedLabel: string | null;
  badge: string;
  /** Visible part of the secret. */
  hint: string;
  details: readonly string[];
}

interface SecretListProps<Secret extends NamedSecret> {
  /** Noun of the secrets, such as "key". */
  secretNoun: string;
  secrets: readonly Secret[];
  /** Message of an empty list. */
  emptyMessage: string;
  describe: (secret: Secret) => SecretDescription;
  revoke: UseMutationResult<void, Error, Secret>;
  /** Effect of a revocation, in a sentence. */
  revocationEffect: string;
}

/**
 * Lists the member's secrets in order, each with a revoke button. A revocation needs confirmation, because it is final.
 */
export function SecretList<Secret extends NamedSecret>(props: SecretListProps<Secret>) {
  const { secretNoun, secrets, emptyMessage, describe, revoke, revocationEffect } = props;
  const [pendingRevocation, setPendingRevocation] = useState<Secret | null>(null);
  const [revokedId, setRevokedId] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  // A revocation removes the button that opened the dialog. The focus then moves to the list.
  useEffect(() => {
    if (revokedId !== null) list.current?.focus();
  }, [revokedId]);
  if (secrets.length === 0) return <p className="py-2 text-ink-soft">{emptyMessage}</p>;

  const close = (): void => setPendingRevocation(null);

  function askToRevoke(secret: Secret): void {
    revoke.reset();
    setPendingRevocation(secret);
  }

  function confirm(secret: Secret): void {
    revoke.mutate(secret, {
      onSuccess: () => {
        showToast(`The ${secretNoun} “${secret.name}” is revoked.`, 'good');
        setPendingRevocation((current) => (current === secret ? null : current));
        setRevokedId(secret.id);
      },
    });
  }

  return (
    <>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={`Your ${secretNoun}s`}
        className="divide-y divide-line border-t border-line"
      >
        {secrets.map((secret) => (
          <SecretRow
            key={secret.id}
            name={secret.name}
            description={describe(secret)}
            onRevoke={() => askToRevoke(secret)}
          />
        ))}
      </ul>
      {pendingRevocation && (
        <Dialog title={`Revoke “${pendingRevocation.name}”?`} onClose={close}>
          <p className="mt-2 mb-5 text-ink-soft">{`${revocationEffect} A revoked ${secretNoun} never works again.`}</p>
          {revoke.error && (
            <div className="mb-4">
              <FormErrors
                problems={[{ field: null, message: revoke.error.message }]}
                title={`Could not revoke the ${secretNoun}`}
              />
            </div>
          )}
          <div className="flex flex-wrap justify-end gap-3">
            <Button variant="quiet" onClick={close}>
              Cancel
            </Button>
            <Button variant="danger" pending={revoke.isPending} onClick={() => confirm(pendingRevocation)}>
              {`Revoke the ${secretNoun}`}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function SecretRow({
  name,
  description,
  onRevoke,
}: {
  name: string;
  description: SecretDescription;
  onRevoke: () => void;
}) {
  const { endedLabel, badge, hint, details } = description;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className={`flex flex-wrap items-center gap-2 font-medium ${endedLabel ? 'text-ink-faint' : ''}`}>
          <span className="min-w-0 break-words">{name}</span>
          {endedLabel ? <Badge>{endedLabel}</Badge> : <Badge tone="accent">{badge}</Badge>}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-small text-ink-faint">
          <code className="font-mono">{hint}</code>
          {details.map((detail) => (
            <span key={detail}>{detail}</span>
          ))}
        </p>
      </div>
      {!endedLabel && (
        <Button variant="danger" aria-label={`Revoke ${name}`} onClick={onRevoke}>
          Revoke
        </Button>
      )}
    </li>
  );
}
