import type { Connection } from '../../connections/contract.ts';
import { attentionWords, synchronisedWords } from '../../../ui/shell/connections/connection-words.ts';
import { Icon } from '../../../ui/kit/icon.tsx';

/** Marks what came with a connection: where from, how old, and whether something has to be done about it. */
export function SourceLine({ connection }: { connection: Connection | undefined }) {
  if (!connection) return null;
  const attention = attentionWords(connection);
  return (
    <p className={`flex items-baseline gap-1.5 ${attention ? 'text-warn' : ''}`}>
      <span className="self-center">
        <Icon name={attention ? 'warn' : 'swap'} size={12} />
      </span>
      <span>
        <span className="sr-only">Connected: </span>
        {attention ?? `${connection.institution}, ${synchronisedWords(connection)}`}
      </span>
    </p>
  );
}
