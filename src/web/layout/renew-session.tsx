import { Suspense } from 'react';
import { useSession } from '../lib/session.ts';
import { RenewSessionDialog } from '../slice-screens.ts';

/** Asks for the password over the page when the session has ended beneath it; the page keeps everything typed. */
export function RenewSession() {
  const state = useSession();
  if (state.status !== 'expired') return null;
  return (
    <Suspense>
      <RenewSessionDialog member={state.member} />
    </Suspense>
  );
}
