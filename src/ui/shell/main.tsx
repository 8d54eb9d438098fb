import './styles/main.css';
import './styles/font.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { reload, startNavigation } from './navigation/location.ts';
import { matchRoute, setRoutes } from './navigation/match-route.ts';
import { followWatchlistOffer } from './navigation/watchlist-offer.ts';
import { storeReferral } from '../../features/referrals/ui/referral.ts';
import { startTokenRenewal, session, storeSessionHint } from './session/session.ts';
import { followTheme } from './theme/theme.ts';
import { followNetwork } from './layout/offline-since.ts';
import { startDemoTour } from './session/demo-tour.ts';
import { followPrivacyMode } from './session/privacy-mode.ts';
import { followSampleUser } from './session/sample-user.ts';
import { routes } from './routes/routes.tsx';

startNavigation();
startDemoTour();
storeSessionHint();
followPrivacyMode();
followSampleUser();
followWatchlistOffer();
followNetwork();
setRoutes(routes);
const initialPage = matchRoute(window.location.pathname);
// The page's code loads during the session look-up. The prerendered shell shows until both are ready.
const ready = Promise.all([
  initialPage?.component.load(),
  initialPage?.audience === 'member' ? session.start() : void session.start(),
]);
startTokenRenewal();
followTheme();
storeReferral(window.location.search);

// A page from the back/forward cache may show a member who is no longer signed in.
addEventListener('pageshow', (event) => {
  if (event.persisted) reload();
});

void ready.then(() => {
  const root = document.getElementById('app');
  if (!root) return;
  // A transition renders in slices, so that the prerendered shell stays responsive until it is replaced.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
});
