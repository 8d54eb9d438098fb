import { Fragment, Suspense, useDeferredValue, useEffect, useState } from 'react';
import { lazyErrorProps } from './loading/lazy-error-props.ts';
import { alertForm, useIsAlertListOpen } from './alerts/alert-request.ts';
import { ErrorPage, UnreachablePage } from './errors/error-pages.tsx';
import { RouteAnnouncer } from './layout/route-announcer.tsx';
import { AppLayout } from './layout/app-layout.tsx';
import { lazyComponent, LazyComponent } from './loading/lazy-component.tsx';
import { navigate, type RouteLocation, useLocation } from './navigation/location.ts';
import { type Page, matchRoute } from './navigation/match-route.ts';
import { safePath } from './navigation/safe-path.ts';
import { setSecurityPanelPreload } from './navigation/preload-security-panel.ts';
import { reauthenticationRequest } from './reauthentication/reauthentication-request.ts';
import { closeSecurity, useOpenSymbol } from './navigation/security-url.ts';
import { getSampleExit, isInSamplePortfolio, useIsSampleUser } from './session/sample-user.ts';
import type { SessionState } from './session/session-state.ts';
import { useSession, wasSignedIn } from './session/session.ts';
import { ErrorBoundary } from '../kit/error-boundary.tsx';
import { formatLocale } from '../kit/format-locale.ts';
import { leaveRequest } from '../kit/leave-guard.ts';
import { Skeleton } from '../kit/skeleton.tsx';
import { useStore } from '../kit/use-store.ts';

/** Layout with the current page. The previous page remains until the code of the next page is loaded. */
export function App() {
  const location = useDeferredValue(useLocation());
  const state = useSession();
  const page = matchRoute(location.path);
  const leaving = useStore(leaveRequest);
  const reauthentication = useStore(reauthenticationRequest);
  const memberId = getMemberId(state);
  return (
    <AppLayout>
      {/* The boundary persists across pages, so that React keeps the old page until the next page is ready. */}
      <Suspense fallback={<PageSkeleton label="Loading the page" />}>
        <ErrorBoundary
          key={location.path}
          renderError={(error, retry) => <ErrorPage error={error} retry={retry} />}
          onError={() => page?.component.reset()}
        >
          {page ? (
            <GuardedPage page={page} location={location} state={state} />
          ) : (
            <LazyComponent component={lazyNotFoundPage} props={{}} />
          )}
        </ErrorBoundary>
      </Suspense>
      {/* The key renders the panels anew for another member, as GuardedPage does its page. */}
      {memberId !== null && (
        <Fragment key={memberId}>
          {location.path !== '/assistant' && new URLSearchParams(location.search).has('assistant') && (
            <LazyComponent component={lazyMemberPanels} props={{}} {...lazyErrorProps} />
          )}
          <SecurityOfAddress />
          <AlertsOfPage />
        </Fragment>
      )}
      {leaving && <LazyComponent component={lazyLeaveQuestion} props={leaving} />}
      {reauthentication && (
        <LazyComponent
          component={lazyConfirmIdentity}
          props={{ settle: reauthentication.settle }}
          {...lazyErrorProps}
        />
      )}
      {state.status === 'expired' && (
        <LazyComponent
          component={lazyRenewSession}
          props={{ member: state.member }}
          className="fixed inset-x-4 bottom-4 z-20 mx-auto max-w-prose rounded-control shadow-raised"
        />
      )}
    </AppLayout>
  );
}

/** Returns the member whose page is shown, also after the session has ended, or null. */
const getMemberId = (state: SessionState): string | null => ('member' in state ? state.member.userId : null);

/** Panels that the address opens on every page of a member. */
const lazyMemberPanels = lazyComponent('The panel', () => import('./routes/member-panels.tsx'));

const lazyAlertPanels = lazyComponent('The alerts', () => import('./routes/alert-panels.tsx'));

/** Shows the alerts that the member opened. Their code loads at the first opening and stays. */
function AlertsOfPage() {
  const isListOpen = useIsAlertListOpen();
  const security = useStore(alertForm);
  const [wasOpened, setWasOpened] = useState(false);
  // The next member of this tab has opened no form.
  useEffect(() => () => alertForm.set(null), []);
  if ((isListOpen || security) && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return (
    <LazyComponent
      component={lazyAlertPanels}
      props={{}}
      className="fixed inset-x-4 bottom-4 z-20 mx-auto max-w-prose rounded-control shadow-raised"
      onDismiss={lazyErrorProps.onDismiss}
    />
  );
}

const lazySecurityPanel = lazyComponent('The security', () => import('./routes/security-panel.tsx'));

setSecurityPanelPreload(lazySecurityPanel.preload);

/** Shows the security that the address opens. Its code loads at the first one and stays. */
function SecurityOfAddress() {
  const symbol = useOpenSymbol();
  const [wasOpened, setWasOpened] = useState(false);
  if (symbol !== null && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return (
    <LazyComponent
      component={lazySecurityPanel}
      props={{}}
      // The error stays in sight, wherever the page is scrolled.
      className="fixed inset-x-4 bottom-4 z-20 mx-auto max-w-prose rounded-control shadow-raised"
      onDismiss={lazyErrorProps.onDismiss}
      onClose={() => {
        closeSecurity();
        setWasOpened(false);
      }}
    />
  );
}

const lazyLeaveQuestion = lazyComponent('The question', () => import('./navigation/leave-question.tsx'));

const lazyNotFoundPage = lazyComponent('The page', () => import('./errors/not-found-page.tsx'));

const lazySampleNotice = lazyComponent('The page', () => import('./layout/sample-notice.tsx'));

/** Form for the password while a call of the page waits for it. */
const lazyConfirmIdentity = lazyComponent(
  'The password form',
  () => import('./reauthentication/confirm-identity-dialog.tsx'),
);

/** Form for the password over the page after the session has ended. The page keeps all input. */
const lazyRenewSession = lazyComponent('The sign-in form', () => import('./sign-in/renew-session-dialog.tsx'));

/**
 * Placeholder of a loading page. The layout hides its footer until the page is loaded, so that the footer does not
 * shift.
 */
const PageSkeleton = ({ label }: { label: string }) => (
  <div data-loading>
    <Skeleton lines={4} label={label} />
  </div>
);

/** Shows a page to its audience and redirects other visitors. */
function GuardedPage({ page, location, state }: { page: Page; location: RouteLocation; state: SessionState }) {
  const { title, audience } = page;
  const { Content } = page.component;
  const isSample = useIsSampleUser();
  const locale = useStore(formatLocale);
  const memberId = audience === 'member' ? getMemberId(state) : null;
  const content = (
    <>
      {/* The key renders the page anew for another member, and when figures are written in another way. */}
      {isSample && !isInSamplePortfolio(location.path) ? (
        <LazyComponent component={lazySampleNotice} props={{ title }} />
      ) : (
        <Content key={`${memberId ?? ''} ${locale}`} />
      )}
      <RouteAnnouncer title={title} />
    </>
  );
  const search = new URLSearchParams(location.search);
  switch (state.status) {
    case 'signed-in':
      return audience === 'visitor' ? <Redirect to={safePath(search.get('next'), '/dashboard')} /> : content;
    case 'expired':
      return audience === 'visitor' ? null : content;
    case 'signed-out':
      if (audience !== 'member') return content;
      return <Redirect to={getSampleExit(location.path) ?? getSignInUrl(state.signedOutIn, location)} />;
    case 'unreachable':
      return audience === 'member' ? <UnreachablePage /> : content;
    case 'loading':
      // If no member was signed in in this browser, the page is shown immediately.
      return audience === 'member' || (audience === 'visitor' && wasSignedIn()) ? (
        <PageSkeleton label="Loading your session" />
      ) : (
        content
      );
  }
}

/** Returns the sign-in page, which leads back to a page that the visitor opened without a session. */
const getSignInUrl = (signedOutIn: string | null, { path, search }: RouteLocation): string =>
  signedOutIn === null ? `/sign-in?next=${encodeURIComponent(path + search)}` : '/sign-in';

/** Navigates without an entry in the history. */
function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}
