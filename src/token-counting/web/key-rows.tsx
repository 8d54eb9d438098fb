import { useEffect, useRef, useState } from 'react';
import { formatDay, formatMoment } from '../../web/lib/formats.ts';
import { Badge } from '../../web/ui/badge.tsx';
import { Button } from '../../web/ui/button.tsx';
import type { ApiKey } from '../contract.ts';
import { RevokeKey } from './revoke-key.tsx';

/** The list of keys: those in use first, then the revoked ones. */
export function KeyRows({ keys }: { keys: readonly ApiKey[] }) {
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const [revoked, setRevoked] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  // The button that opened the dialog goes with the key's use: the focus stays in the list.
  useEffect(() => {
    if (revoked !== null) list.current?.focus();
  }, [revoked]);
  if (keys.length === 0)
    return <p className="py-2 text-ink-soft">No keys yet. The first one you create stands here.</p>;
  const sorted = [...keys].sort(
    (a, b) => Number(a.revoked_at !== null) - Number(b.revoked_at !== null) || b.created_at.localeCompare(a.created_at),
  );
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label="Your keys" className="divide-y divide-line border-t border-line">
        {sorted.map((key) => (
          <li key={key.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-52">
              <p className={`flex flex-wrap items-center gap-2 font-medium ${key.revoked_at ? 'text-ink-faint' : ''}`}>
                <span className="break-words">{key.name}</span>
                {key.revoked_at ? (
                  <Badge>Revoked</Badge>
                ) : (
                  <Badge tone="accent">{`Usage tier ${key.usage_tier}`}</Badge>
                )}
              </p>
              <p className="mt-0.5 flex flex-wrap gap-x-3 text-small text-ink-faint">
                <code className="font-mono">{`sk-…${key.hint}`}</code>
                <span>{`Created ${formatDay(key.created_at)}`}</span>
                <span>{lastWord(key)}</span>
              </p>
            </div>
            {!key.revoked_at && (
              <Button look="danger" aria-label={`Revoke ${key.name}`} onClick={() => setRevoking(key)}>
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
      {revoking && (
        <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} onRevoked={() => setRevoked(revoking.id)} />
      )}
    </>
  );
}

function lastWord(key: ApiKey): string {
  if (key.revoked_at) return `Revoked ${formatDay(key.revoked_at)}`;
  return key.last_used_at ? `Last used ${formatMoment(key.last_used_at)}` : 'Never used';
}
