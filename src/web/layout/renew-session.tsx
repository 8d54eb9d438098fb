import { useSession } from '../lib/session.ts';
import { renewSession } from '../slice-screens.ts';
import { LazyPart } from '../ui/lazy-part.tsx';

/** Asks for the password over the page when the session has ended beneath it; the page keeps everything typed. */
export function RenewSession() {
  const state = useSession();
  if (state.status !== 'expired') return null;
  return (
    <LazyPart
      part={renewSession}
      props={{ member: state.member }}
      className="fixed inset-x-4 bottom-4 z-20 mx-auto max-w-prose rounded-control shadow-raised"
    />
  );
}
