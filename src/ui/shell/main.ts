import './styles/main.css';
import './styles/font.css';
import { reload, startNavigation } from './navigation/location.ts';
import { matchRoute, setRoutes } from './navigation/match-route.ts';
import { followWatchlistOffer } from './navigation/watchlist-offer.ts';
import { storeReferral } from '../../features/referrals/ui/referral.ts';
import { startTokenRenewal, session, storeSessionHint } from './session/session.ts';
import { followNumberFormat } from './number-format/number-format.ts';
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
followNumberFormat();
setRoutes(routes);
const initialPage = matchRoute(window.location.pathname);
// This script has no screen: it arrives first and starts the session and the page's reads while the screens load. The
// prerendered shell shows until all are ready.
const ready = Promise.all([
  import('./render-app.tsx'),
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

void ready.then(([{ renderApp }]) => {
  const root = document.getElementById('app');
  if (root) renderApp(root);
});
