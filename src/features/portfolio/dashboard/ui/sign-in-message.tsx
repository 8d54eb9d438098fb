import type { Connection } from '../../../connections/contract.ts';
import { Icon } from '../../../../ui/kit/icon.tsx';
import { Link } from '../../../../ui/shell/navigation/link.tsx';

export interface SignInMessageProps {
  /** Connections that need a sign-in, at least one. */
  connections: readonly Connection[];
  onRepair: (connection: Connection) => void;
}

/** Names the connection that needs a sign-in, or says how many there are. */
export default function SignInMessage({ connections, onRepair }: SignInMessageProps) {
  const [first, ...others] = connections;
  return (
    <p className="absolute inset-x-0 bottom-full flex h-5 items-center gap-2 text-small text-warn sm:h-6">
      <Icon name="warn" size={14} />
      <span className="truncate">
        {others.length === 0
          ? `${first!.institution} needs you to sign in again.`
          : `${others.length + 1} connections need you to sign in again.`}
      </span>
      {others.length === 0 ? (
        <button type="button" className="link shrink-0 font-medium" onClick={() => onRepair(first!)}>
          Sign in again
        </button>
      ) : (
        <Link href="/settings/connections" className="link shrink-0 font-medium">
          See them
        </Link>
      )}
    </p>
  );
}
