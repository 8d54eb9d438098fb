import { Suspense, useDeferredValue } from 'react';
import { ErrorPage } from './errors/error-page.tsx';
import { NotFoundPage } from './errors/not-found-page.tsx';
import { Unreachable } from './errors/unreachable.tsx';
import { Arrival } from './layout/arrival.tsx';
import { Frame } from './layout/frame.tsx';
import { Redirect } from './layout/redirect.tsx';
import { RenewSession } from './layout/renew-session.tsx';
import { type Place, usePlace } from './lib/location.ts';
import { type Page, pageAt } from './lib/pages.ts';
import { safePath } from './lib/safe-path.ts';
import type { SessionState } from './lib/session-state.ts';
import { useSession, wasSignedIn } from './lib/session.ts';
import { Boundary } from './ui/boundary.tsx';
import { Skeleton } from './ui/skeleton.tsx';

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
          {page ? <Guarded page={page} place={place} state={state} /> : <NotFound />}
        </Boundary>
      </Suspense>
      <RenewSession />
    </Frame>
  );
}

const NotFound = () => (
  <>
    <NotFoundPage />
    <Arrival title="Page not found" />
  </>
);

/** Lines in the place of a page that is loading. The frame hides its footer until then, so that it does not jump. */
const Waiting = ({ label }: { label: string }) => (
  <div data-waiting>
    <Skeleton lines={4} label={label} />
  </div>
);

/** Shows a page to the people it is for and sends the others where they belong. */
function Guarded({ page, place, state }: { page: Page; place: Place; state: SessionState }) {
  const {
    title,
    audience,
    screen: { Content },
  } = page;
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
