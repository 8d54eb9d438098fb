import { useState } from 'react';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { formatDay, formatMoment } from '../../../ui/kit/formats.ts';
import { Card } from '../../../ui/kit/card.tsx';
import { Failure } from '../../../ui/kit/failure.tsx';
import { SecretList } from '../../../ui/kit/secret-list.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import type { AssistantToken } from '../mcp/contract.ts';
import { ConnectClients } from './connect-clients.tsx';
import { CreateToken } from './create-token.tsx';
import { useRevokeToken, useTokens } from './token-requests.ts';

/** The page of tokens: what they are for, making one, how to connect, the list with its revocations. */
export function Tokens() {
  const tokens = useTokens();
  const demo = useDemoAccount();
  const [fresh, setFresh] = useState<string>();
  const active = tokens.data?.tokens.filter((token) => endOf(token) === null).length ?? 0;
  return (
    <>
      <Card title="New token">
        <p className="mb-4 max-w-prose text-ink-soft">
          With a token, an assistant that you use elsewhere can read your accounts, holdings, net worth and watchlist
          here, over MCP. It can change nothing, and trade nothing. What it reads goes to the company that runs it.
        </p>
        {demo ? (
          <p role="note" className="max-w-prose rounded-control bg-sunken px-4 py-3 text-ink-soft">
            The shared demo account has no tokens, since everybody with a link could use them. An account of your own
            makes them here.
          </p>
        ) : (
          <CreateToken onSecret={setFresh} />
        )}
      </Card>
      {!demo && (
        <>
          {tokens.data && (
            <Card title="Connect">
              <ConnectClients url={tokens.data.mcp_url} token={fresh} />
            </Card>
          )}
          <Card
            title="Your tokens"
            actions={tokens.data && <p className="text-small text-ink-faint">{`${active} of ${tokens.data.limit}`}</p>}
          >
            {tokens.isPending && <Skeleton lines={3} label="Loading your tokens" />}
            {tokens.isError && <Failure error={tokens.error} retry={() => void tokens.refetch()} />}
            {tokens.data && <TokenRows tokens={tokens.data.tokens} />}
          </Card>
        </>
      )}
    </>
  );
}

/** The list of tokens: those in effect first. */
function TokenRows({ tokens }: { tokens: readonly AssistantToken[] }) {
  const revoke = useRevokeToken();
  return (
    <SecretList
      what="token"
      secrets={tokens}
      none="No tokens yet. The first one you make stands here."
      describe={(token) => ({
        ended: endOf(token),
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

/** Why a token opens nothing any more; null while it does. */
function endOf({ revoked_at: revoked, expires_at: expires }: AssistantToken): string | null {
  if (revoked !== null) return 'Revoked';
  return Date.parse(expires) > Date.now() ? null : 'Expired';
}

const labelOfUse = ({ scopes }: AssistantToken): string =>
  scopes.length === 2 ? 'Reports and queries' : scopes[0] === 'sql' ? 'Queries' : 'Reports';
