import type { Connection } from '../../../connections/contract.ts';
import { formatAttention } from '../../../connections/ui/shared/connection-messages.ts';
import { SyncAge } from '../../../connections/ui/shared/sync-age.tsx';
import { Icon } from '../../../../ui/kit/icon.tsx';

/** Shows the source of connected data, its age and a required action. */
export function SourceLine({ connection }: { connection: Connection | undefined }) {
  if (!connection) return null;
  const attentionMessage = formatAttention(connection);
  return (
    <p className={`flex items-baseline gap-1.5 ${attentionMessage ? 'text-warn' : ''}`}>
      <span className="self-center">
        <Icon name={attentionMessage ? 'warn' : 'link'} size={12} />
      </span>
      <span>
        <span className="sr-only">Connected: </span>
        {attentionMessage ?? (
          <>
            {`${connection.institution}, `}
            <SyncAge connection={connection} />
          </>
        )}
      </span>
    </p>
  );
}
