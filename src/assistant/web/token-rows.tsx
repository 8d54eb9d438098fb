import { formatDay, formatMoment } from '../../web/lib/formats.ts';
import { SecretList } from '../../web/ui/secret-list.tsx';
import type { AssistantToken } from '../mcp/contract.ts';
import { useRevokeToken } from './token-requests.ts';
import { stateOf } from './token-state.ts';

const endWords = { active: null, revoked: 'Revoked', expired: 'Expired' };

/** The list of tokens: those in effect first. */
export function TokenRows({ tokens }: { tokens: readonly AssistantToken[] }) {
  const revoke = useRevokeToken();
  return (
    <SecretList
      what="token"
      secrets={tokens}
      none="No tokens yet. The first one you make stands here."
      describe={(token) => ({
        ended: endWords[stateOf(token)],
        badge: labelOfUse(token),
        hint: `tally_mcp_…${token.hint}`,
        facts: [
          token.revoked_at ? `Revoked ${formatDay(token.revoked_at)}` : `Ends ${formatDay(token.expires_at)}`,
          token.last_used_at ? `Last used ${formatMoment(token.last_used_at)}` : 'Never used',
        ],
      })}
      revoke={revoke}
      stops="The assistant that uses it can read nothing from now on."
    />
  );
}

const labelOfUse = ({ scopes }: AssistantToken): string =>
  scopes.length === 2 ? 'Reports and queries' : scopes[0] === 'sql' ? 'Queries' : 'Reports';
