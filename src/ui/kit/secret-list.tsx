import type { UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { showToast } from './toasts.ts';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FormErrors } from './form-errors.tsx';

/** What is kept of a secret, by which it is recognised and revoked. */
interface Named {
  id: string;
  name: string;
}

interface Described {
  /** Why it opens nothing any more; null while it does. */
  ended: string | null;
  badge: string;
  /** What may be shown of the secret itself. */
  hint: string;
  facts: readonly string[];
}

interface SecretListProps<Secret extends Named> {
  /** What they are, such as "key". */
  what: string;
  secrets: readonly Secret[];
  /** What stands there without any. */
  none: string;
  describe: (secret: Secret) => Described;
  revoke: UseMutationResult<void, Error, Secret>;
  /** Whom a revocation stops, in a sentence. */
  stops: string;
}

/** The member's secrets in their order, each of which can be revoked. Asks before one is: there is no way back. */
export function SecretList<Secret extends Named>(props: SecretListProps<Secret>) {
  const { what, secrets, none, describe, revoke, stops } = props;
  const [asked, setAsked] = useState<Secret | null>(null);
  const [revoked, setRevoked] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  // The button that opened the dialog goes with the secret's use: the focus stays in the list.
  useEffect(() => {
    if (revoked !== null) list.current?.focus();
  }, [revoked]);
  if (secrets.length === 0) return <p className="py-2 text-ink-soft">{none}</p>;

  const close = (): void => setAsked(null);

  function ask(secret: Secret): void {
    revoke.reset();
    setAsked(secret);
  }

  function confirm(secret: Secret): void {
    revoke.mutate(secret, {
      onSuccess: () => {
        showToast(`The ${what} “${secret.name}” is revoked.`, 'good');
        setAsked((now) => (now === secret ? null : now));
        setRevoked(secret.id);
      },
    });
  }

  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label={`Your ${what}s`} className="divide-y divide-line border-t border-line">
        {secrets.map((secret) => (
          <Row key={secret.id} name={secret.name} described={describe(secret)} onRevoke={() => ask(secret)} />
        ))}
      </ul>
      {asked && (
        <Dialog title={`Revoke “${asked.name}”?`} onClose={close}>
          <p className="mt-2 mb-5 text-ink-soft">{`${stops} A revoked ${what} never works again.`}</p>
          {revoke.error && (
            <div className="mb-4">
              <FormErrors
                problems={[{ field: null, message: revoke.error.message }]}
                title={`The ${what} was not revoked`}
              />
            </div>
          )}
          <div className="flex flex-wrap justify-end gap-3">
            <Button look="quiet" onClick={close}>
              Keep it
            </Button>
            <Button look="danger" pending={revoke.isPending} onClick={() => confirm(asked)}>
              {`Revoke the ${what}`}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function Row({ name, described, onRevoke }: { name: string; described: Described; onRevoke: () => void }) {
  const { ended, badge, hint, facts } = described;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className={`flex flex-wrap items-center gap-2 font-medium ${ended ? 'text-ink-faint' : ''}`}>
          <span className="min-w-0 break-words">{name}</span>
          {ended ? <Badge>{ended}</Badge> : <Badge tone="accent">{badge}</Badge>}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-small text-ink-faint">
          <code className="font-mono">{hint}</code>
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
      </div>
      {!ended && (
        <Button look="danger" aria-label={`Revoke ${name}`} onClick={onRevoke}>
          Revoke
        </Button>
      )}
    </li>
  );
}
