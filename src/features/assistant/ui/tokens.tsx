import { useState } from 'react';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { formatDay, formatMoment } from '../../../ui/kit/formats.ts';
import { Card } from '../../../ui/kit/card.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { SecretList } from '../../../ui/kit/secret-list.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import type { AssistantToken } from '../mcp/contract.ts';
import { ConnectClients } from './connect-clients.tsx';
import { CreateToken } from './create-token.tsx';
import { useRevokeToken, useTokens } from './token-requests.ts';

/** The page of tokens: their purpose, the form, the setup of clients, and the list. */
export function Tokens() {
  const tokens = useTokens();
  const isDemo = useDemoAccount();
  const [newToken, setNewToken] = useState<string>();
  const activeCount = tokens.data?.tokens.filter((token) => getEndLabel(token) === null).length ?? 0;
  return (
    <>
      <Card title="New token">
        <p className="mb-4 max-w-prose text-ink-soft">
          With a token, an assistant that you use elsewhere can read your accounts, holdings, net worth and watchlist
          here, over MCP. It cannot change anything or trade. The company that runs it receives the data it reads.
        </p>
        {isDemo ? (
          <p role="note" className="max-w-prose rounded-control bg-sunken px-4 py-3 text-ink-soft">
            Tokens are not available in the shared demo account. Create your own account to use them.
          </p>
        ) : (
          <CreateToken onSecret={setNewToken} />
        )}
      </Card>
      {!isDemo && tokens.isPending && (
        <Card title="Connect">
          <Skeleton lines={6} label="Loading your tokens" />
        </Card>
      )}
      {!isDemo && !tokens.isPending && (
        <>
          {tokens.data && (
            <Card title="Connect">
              <ConnectClients url={tokens.data.mcp_url} token={newToken} />
            </Card>
          )}
          <Card
            title="Your tokens"
            actions={
              tokens.data && <p className="text-small text-ink-faint">{`${activeCount} of ${tokens.data.limit}`}</p>
            }
          >
            {tokens.isError && (
              <ErrorMessage
                error={tokens.error}
                retry={() => {
                  void tokens.refetch();
                }}
              />
            )}
            {tokens.data && <TokenRows tokens={tokens.data.tokens} />}
          </Card>
        </>
      )}
    </>
  );
}

/** The list of tokens, valid ones first. */
function TokenRows({ tokens }: { tokens: readonly AssistantToken[] }) {
  const revoke = useRevokeToken();
  return (
    <SecretList
      secretNoun="token"
      secrets={tokens}
      emptyMessage="No tokens yet."
      describe={(token) => ({
        endedLabel: getEndLabel(token),
        badge: getScopeLabel(token),
        hint: `tally_mcp_…${token.hint}`,
        details: [
          token.revoked_at ? `Revoked ${formatDay(token.revoked_at)}` : `Expires ${formatDay(token.expires_at)}`,
          token.last_used_at ? `Last used ${formatMoment(token.last_used_at)}` : 'Never used',
        ],
      })}
      revoke={revoke}
      revocationEffect="The assistant that uses it loses access immediately."
    />
  );
}

/** Returns why a token is no longer valid, or null if it is valid. */
function getEndLabel({ revoked_at: revoked, expires_at: expires }: AssistantToken): string | null {
  if (revoked !== null) return 'Revoked';
  return Date.parse(expires) > Date.now() ? null : 'Expired';
}

function getScopeLabel({ scopes }: AssistantToken): string {
  if (scopes.length === 2) return 'Reports and queries';
  return scopes[0] === 'sql' ? 'Queries' : 'Reports';
}
