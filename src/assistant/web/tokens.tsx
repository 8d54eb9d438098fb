import { useState } from 'react';
import { useDemoAccount } from '../../web/lib/demo-account.ts';
import { Card } from '../../web/ui/card.tsx';
import { Failure } from '../../web/ui/failure.tsx';
import { Skeleton } from '../../web/ui/skeleton.tsx';
import { ConnectClients } from './connect-clients.tsx';
import { CreateToken } from './create-token.tsx';
import { TokenRows } from './token-rows.tsx';
import { useTokens } from './token-requests.ts';
import { stateOf } from './token-state.ts';

/** The page of tokens: what they are for, making one, how to connect, the list with its revocations. */
export function Tokens() {
  const tokens = useTokens();
  const demo = useDemoAccount();
  const [fresh, setFresh] = useState<string>();
  const active = tokens.data?.tokens.filter((token) => stateOf(token) === 'active').length ?? 0;
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
          <CreateToken onFresh={setFresh} />
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
