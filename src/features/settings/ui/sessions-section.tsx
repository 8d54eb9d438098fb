import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../../ui/kit/badge.tsx';
import { Button } from '../../../ui/kit/button.tsx';
import { Card } from '../../../ui/kit/card.tsx';
import { formatMoment } from '../../../ui/kit/formats.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import { publicConfig } from '../../../ui/shell/session/public-config.ts';
import { useMember } from '../../../ui/shell/session/session.ts';
import { type AccountSession, accountSessionsQuery } from './account-sessions.ts';
import { EndSessionsDialog } from './end-sessions-dialog.tsx';
import { QueryContent } from './query-content.tsx';

/** Shows where the member is signed in. Members of a hosted provider have no list. */
export function SessionsSection() {
  const member = useMember();
  const isEmbedded = useStore(publicConfig)?.frontend_api_url.startsWith('/') ?? false;
  if (!member || !isEmbedded) return null;
  return (
    <Card title="Where you are signed in">
      <Sessions currentId={member.sessionId} />
    </Card>
  );
}

function Sessions({ currentId }: { currentId: string }) {
  const query = useQuery(accountSessionsQuery);
  return (
    <QueryContent query={query} lines={2} label="Loading your sessions">
      {(sessions) => <SessionList sessions={sessions} currentId={currentId} />}
    </QueryContent>
  );
}

interface SessionListProps {
  sessions: readonly AccountSession[];
  currentId: string;
}

function SessionList({ sessions, currentId }: SessionListProps) {
  const [ending, setEnding] = useState<readonly AccountSession[]>([]);
  const others = sessions.filter(({ id }) => id !== currentId);
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {sessions.map((session) => (
          <li key={session.id} className="flex items-center gap-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {session.device}
                {session.id === currentId && <Badge>This browser</Badge>}
              </p>
              <p className="text-small break-words text-ink-soft">
                {session.address ?? '–'} · last used {formatMoment(session.lastActiveAt)}
              </p>
            </div>
            {session.id !== currentId && (
              <Button
                aria-label={`Sign out ${session.device}, ${session.address}`}
                onClick={() => setEnding([session])}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <Button className="mt-4" onClick={() => setEnding(others)}>
          Sign out everywhere else
        </Button>
      )}
      {ending.length > 0 && <EndSessionsDialog sessions={ending} onClose={() => setEnding([])} />}
    </>
  );
}
