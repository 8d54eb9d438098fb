import type { PagePath } from '../page-paths.ts';
import { page, type Page } from '../navigation/pages.ts';

/** Every page of the app with its title, the people it is for, and its screen in a script of its own. */
export const pages = {
  '/': page('Know what a request weighs', 'visitor', () => import('../../../features/site/ui/landing-page.tsx')),
  '/sign-up': page('Create your account', 'visitor', () => import('./sign-up.tsx')),
  '/sign-in': page('Sign in', 'visitor', () => import('../sign-in/sign-in-page.tsx')),
  '/dashboard': page('Dashboard', 'member', async () => {
    const screen = await import('./dashboard.tsx');
    screen.start();
    return screen;
  }),
  '/plans': page('Plans', 'member', () => import('../../../features/billing/ui/plans-page.tsx')),
  '/plans/return': page('Plans', 'member', () => import('../../../features/billing/ui/return-page.tsx')),
  '/connections/return': page('Connections', 'member', async () => {
    const screen = await import('../../../features/connections/ui/return-page.tsx');
    screen.start();
    return screen;
  }),
  '/settings': page('Settings', 'member', () => import('../../../features/settings/ui/settings-page.tsx')),
  '/settings/connections': page('Connections', 'member', () => import('./settings-connections.tsx')),
  '/settings/billing': page('Billing', 'member', () => import('./settings-billing.tsx')),
  '/settings/api-keys': page('API keys', 'member', () => import('./settings-api-keys.tsx')),
  '/operator/revenue': page('Revenue', 'anyone', () => import('../../../features/billing/ui/revenue-page.tsx')),
  '/settings/assistant': page('Your own assistant', 'member', () => import('./settings-assistant.tsx')),
  '/settings/invite': page('Invite friends', 'member', () => import('./settings-invite.tsx')),
} satisfies Record<PagePath, Page>;
