import { Suspense, useDeferredValue, useEffect } from 'react';
import { ErrorPage, NotFoundPage, Unreachable } from './errors/error-pages.tsx';
import { Arrival } from './layout/arrival.tsx';
import { Frame } from './layout/frame.tsx';
import { lazyPart, LazyPart } from './loading/lazy-part.tsx';
import { navigate, type Place, usePlace } from './navigation/location.ts';
import { type Page, pageAt } from './navigation/pages.ts';
import { safePath } from './navigation/safe-path.ts';
import type { SessionState } from './session/session-state.ts';
import { useSession, wasSignedIn } from './session/session.ts';
import { Boundary } from '../kit/boundary.tsx';
import { Skeleton } from '../kit/skeleton.tsx';

/** The frame with the page in it. The page that is left stays until the next one's code is here. */
export function App() {
  const place = useDeferredValue(usePlace());
  const state = useSession();
  const page = pageAt(place.path);
  return (
    <Frame>
      {/* The boundary stays while its content changes, so that React keeps the old page until the next is ready. */}
      <Suspense fallback={<Waiting label="Loading the page" />}>
        <Boundary
          key={place.path}
          renderFailed={(error, retry) => <ErrorPage error={error} retry={retry} />}
          onCaught={() => page?.screen.again()}
        >
          {page ? <Guarded page={page} place={place} state={state} /> : <NotFoundPage />}
        </Boundary>
      </Suspense>
      {state.status === 'expired' && (
        <LazyPart
          part={renewSession}
          props={{ member: state.member }}
          className="fixed inset-x-4 bottom-4 z-20 mx-auto max-w-prose rounded-control shadow-raised"
        />
      )}
    </Frame>
  );
}

/** Asks for the password over the page when the session has ended beneath it; the page keeps everything typed. */
const renewSession = lazyPart('The form to sign in again', () => import('./sign-in/renew-session-dialog.tsx'));

/** Lines in the place of a page that is loading. The frame hides its footer until then, so that it does not jump. */
const Waiting = ({ label }: { label: string }) => (
  <div data-waiting>
    <Skeleton lines={4} label={label} />
  </div>
);

/** Shows a page to the people it is for and sends the others where they belong. */
function Guarded({ page, place, state }: { page: Page; place: Place; state: SessionState }) {
  const { title, audience } = page;
  const { Content } = page.screen;
  const screen = (
    <>
      <Content />
      <Arrival title={title} />
    </>
  );
  const search = new URLSearchParams(place.search);
  switch (state.status) {
    case 'signed-in':
      return audience === 'visitor' ? <Redirect to={safePath(search.get('next'), '/dashboard')} /> : screen;
    case 'expired':
      return audience === 'visitor' ? null : screen;
    case 'signed-out':
      if (audience !== 'member') return screen;
      return (
        <Redirect
          to={state.how === 'never' ? `/sign-in?next=${encodeURIComponent(place.path + place.search)}` : '/sign-in'}
        />
      );
    case 'unreachable':
      return audience === 'member' ? <Unreachable /> : screen;
    case 'loading':
      // A browser in which no one was signed in shows the page at once.
      return audience === 'member' || (audience === 'visitor' && wasSignedIn()) ? (
        <Waiting label="Looking up your session" />
      ) : (
        screen
      );
  }
}

/** Goes elsewhere, leaving no trace in the history. */
function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}
