import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { Card } from '../../../ui/kit/card.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyRows } from './key-rows.tsx';
import { useKeys } from './key-requests.ts';

/** Shows the keys page: explanation, form for a new key, list of keys. */
export function ApiKeys() {
  const keys = useKeys();
  const demo = useDemoAccount();
  const active = keys.data?.api_keys.filter(({ revoked_at }) => revoked_at === null).length ?? 0;
  return (
    <>
      <Card title="New key">
        <p className="mb-4 max-w-prose text-ink-soft">
          A program sends its key as <code className="font-mono text-small">x-api-key</code> to{' '}
          <code className="font-mono text-small">/v1/messages/count_tokens</code>. Create one key per program, so that
          you can revoke each key separately. Without a key, count in the{' '}
          <Link href="/developers/playground" className="link">
            playground
          </Link>
          .
        </p>
        {demo ? (
          <p role="note" className="max-w-prose rounded-control bg-sunken px-4 py-3 text-ink-soft">
            The shared demo account has no keys, because everyone with a link could use them. Sign up for your own
            account to create keys.
          </p>
        ) : (
          <CreateKey />
        )}
      </Card>
      {!demo && (
        <Card
          title="Your keys"
          actions={keys.data && <p className="text-small text-ink-faint">{`${active} of ${keys.data.limit}`}</p>}
        >
          {keys.isPending && (
            <div data-loading>
              <Skeleton lines={3} label="Loading your keys" />
            </div>
          )}
          {keys.isError && (
            <ErrorMessage
              error={keys.error}
              retry={() => {
                void keys.refetch();
              }}
            />
          )}
          {keys.data && <KeyRows keys={keys.data.api_keys} />}
        </Card>
      )}
    </>
  );
}
