import type { Connection } from '../../contract.ts';
import { formatMoment } from '../../../../ui/kit/formats.ts';
import { useNow } from '../../../../ui/kit/use-now.ts';
import { formatSyncAge } from './connection-messages.ts';

/** Shows the age of a connection's figures, such as "updated 5 min ago", and keeps it current. */
export function SyncAge({ connection }: { connection: Connection }) {
  const now = useNow();
  const { synced_at: at } = connection;
  const text = formatSyncAge(connection, now);
  if (at === null) return text;
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {text}
    </time>
  );
}
