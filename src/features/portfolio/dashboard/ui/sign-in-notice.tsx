import type { Connection } from '../../../connections/contract.ts';
import { useConnections } from '../../../../ui/shell/connections/connections-query.ts';
import { Icon } from '../../../../ui/kit/icon.tsx';
import { Link } from '../../../../ui/shell/navigation/link.tsx';

/** Names the connection that needs a sign-in, in the gap above the cards, so that it causes no layout shift. */
export function SignInNotice({ onRepair }: { onRepair: (connection: Connection) => void }) {
  const { data } = useConnections();
  const [first, ...others] =
    data?.connections.filter(({ status }) => status === 'login_required' || status === 'revoked') ?? [];
  return (
    <div role="status" className="relative">
      {first && (
        <p className="absolute inset-x-0 bottom-full flex h-5 items-center gap-2 text-small text-warn sm:h-6">
          <Icon name="warn" size={14} />
          <span className="truncate">
            {others.length === 0
              ? `${first.institution} needs you to sign in again.`
              : `${others.length + 1} connections need you to sign in again.`}
          </span>
          {others.length === 0 ? (
            <button type="button" className="link shrink-0 font-medium" onClick={() => onRepair(first)}>
              Sign in again
            </button>
          ) : (
            <Link href="/settings/connections" className="link shrink-0 font-medium">
              See them
            </Link>
          )}
        </p>
      )}
    </div>
  );
}
