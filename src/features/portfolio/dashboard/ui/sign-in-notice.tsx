import type { Connection } from '../../../connections/contract.ts';
import { useConnections } from '../../../connections/ui/shared/connections-query.ts';
import { LazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';
import { lazySignInMessage } from './lazy-components.ts';

/** Names the connection that needs a sign-in, in the gap above the cards, so that it causes no layout shift. */
export function SignInNotice({ onRepair }: { onRepair: (connection: Connection) => void }) {
  const { data } = useConnections();
  const connections =
    data?.connections.filter(({ status }) => status === 'login_required' || status === 'revoked') ?? [];
  return (
    <div role="status" className="relative">
      {connections.length > 0 && <LazyComponent component={lazySignInMessage} props={{ connections, onRepair }} />}
    </div>
  );
}
