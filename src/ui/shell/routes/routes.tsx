import type { RoutePath } from '../route-paths.ts';
import { definePage, type Page } from '../navigation/match-route.ts';

/** Every page of the app with its title, its audience, and its screen in a separate chunk. */
export const routes = {
  '/': definePage('Your whole portfolio in one place', 'visitor', () => import('./landing.tsx')),
  '/sign-up': definePage('Create your account', 'visitor', () => import('./sign-up.tsx')),
  '/sign-in': definePage('Sign in', 'visitor', () => import('../sign-in/sign-in-page.tsx')),
  '/forgot-password': definePage('Forgot password', 'visitor', () => import('../sign-in/forgot-password-page.tsx')),
  '/reset-password': definePage('Choose a new password', 'anyone', () => import('../sign-in/reset-password-page.tsx')),
  '/verify-email': definePage('Confirm your email', 'anyone', () => import('../sign-in/verify-email-page.tsx')),
  '/stop-email-change': definePage(
    'Stop the change of your email',
    'anyone',
    () => import('../sign-in/stop-email-change-page.tsx'),
  ),
  '/stop-alert-mails': definePage(
    'Stop alerts by mail',
    'anyone',
    () => import('../../../features/alerts/ui/stop-mails-page.tsx'),
  ),
  '/developers': definePage('Developers', 'anyone', () => import('../../../features/site/ui/developers-page.tsx')),
  '/developers/playground': definePage(
    'Playground',
    'anyone',
    () => import('../../../features/token-api/ui/playground/playground-page.tsx'),
  ),
  '/privacy': definePage('Privacy', 'anyone', () => import('../../../features/site/ui/privacy-page.tsx')),
  '/terms': definePage('Terms', 'anyone', () => import('../../../features/site/ui/terms-page.tsx')),
  '/dashboard': definePage('Home', 'member', async () => {
    const [module] = await Promise.all([
      import('./dashboard.tsx'),
      import('./page-reads.ts').then(({ startDashboardReads }) => startDashboardReads()),
    ]);
    module.start();
    return module;
  }),
  '/portfolio': definePage('Portfolio', 'member', async () => {
    const [module] = await Promise.all([
      import('./portfolio.tsx'),
      import('./page-reads.ts').then(({ startPortfolioReads }) => startPortfolioReads()),
    ]);
    return module;
  }),
  '/watchlist': definePage('Watchlist', 'member', async () => {
    const [module] = await Promise.all([
      import('./watchlist.tsx'),
      import('./page-reads.ts').then(({ startWatchlistReads }) => startWatchlistReads()),
    ]);
    return module;
  }),
  '/assistant': definePage('Assistant', 'member', () => import('./assistant.tsx')),
  '/plans': definePage('Plans', 'anyone', () => import('../../../features/billing/ui/plans-page.tsx')),
  '/plans/return': definePage('Plans', 'member', () => import('../../../features/billing/ui/return-page.tsx')),
  '/connections/return': definePage('Connections', 'member', async () => {
    const module = await import('../../../features/connections/ui/return-page.tsx');
    module.start();
    return module;
  }),
  '/settings': definePage('Settings', 'member', () => import('./settings.tsx')),
  '/settings/security': definePage(
    'Security',
    'member',
    () => import('../../../features/settings/ui/security-page.tsx'),
  ),
  '/settings/connections': definePage('Connections', 'member', () => import('./settings-connections.tsx')),
  '/settings/billing': definePage('Billing', 'member', () => import('./settings-billing.tsx')),
  '/settings/api-keys': definePage('API keys', 'member', () => import('./settings-api-keys.tsx')),
  '/operator': definePage('Operator', 'anyone', () => import('../../../features/operator/ui/operator-page.tsx')),
  '/operator/revenue': definePage('Revenue', 'anyone', () => import('../../../features/billing/ui/revenue-page.tsx')),
  '/settings/assistant': definePage('Your own assistant', 'member', () => import('./settings-assistant.tsx')),
  '/settings/invite': definePage('Invite friends', 'member', () => import('./settings-invite.tsx')),
} satisfies Record<RoutePath, Page>;
