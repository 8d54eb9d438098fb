import { useEffect, useRef, useState } from 'react';
import { formatDay, formatMoment } from '../../web/lib/formats.ts';
import { Badge } from '../../web/ui/badge.tsx';
import { Button } from '../../web/ui/button.tsx';
import type { AssistantToken } from '../mcp/contract.ts';
import { RevokeToken } from './revoke-token.tsx';
import { stateOf } from './token-state.ts';

/** The list of tokens: those in effect first. */
export function TokenRows({ tokens }: { tokens: readonly AssistantToken[] }) {
  const [revoking, setRevoking] = useState<AssistantToken | null>(null);
  const [revoked, setRevoked] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  // The button that opened the dialog goes with the token's use: the focus stays in the list.
  useEffect(() => {
    if (revoked !== null) list.current?.focus();
  }, [revoked]);
  if (tokens.length === 0)
    return <p className="py-2 text-ink-soft">No tokens yet. The first one you make stands here.</p>;
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label="Your tokens" className="divide-y divide-line border-t border-line">
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
        ))}
      </ul>
      {revoking && (
        <RevokeToken token={revoking} onClose={() => setRevoking(null)} onRevoked={() => setRevoked(revoking.id)} />
      )}
    </>
  );
}

function TokenRow({ token, onRevoke }: { token: AssistantToken; onRevoke: () => void }) {
  const state = stateOf(token);
  const ended = { active: null, revoked: 'Revoked', expired: 'Expired' }[state];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className={`flex flex-wrap items-center gap-2 font-medium ${ended ? 'text-ink-faint' : ''}`}>
          <span className="min-w-0 break-words">{token.name}</span>
          {ended ? <Badge>{ended}</Badge> : <Badge tone="accent">{labelOfUse(token)}</Badge>}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-small text-ink-faint">
          <code className="font-mono">{`tally_mcp_…${token.hint}`}</code>
          <span>
            {token.revoked_at ? `Revoked ${formatDay(token.revoked_at)}` : `Ends ${formatDay(token.expires_at)}`}
          </span>
          <span>{token.last_used_at ? `Last used ${formatMoment(token.last_used_at)}` : 'Never used'}</span>
        </p>
      </div>
      {!ended && (
        <Button look="danger" aria-label={`Revoke ${token.name}`} onClick={onRevoke}>
          Revoke
        </Button>
      )}
    </li>
  );
}

const labelOfUse = ({ scopes }: AssistantToken): string =>
  scopes.length === 2 ? 'Reports and queries' : scopes[0] === 'sql' ? 'Queries' : 'Reports';
