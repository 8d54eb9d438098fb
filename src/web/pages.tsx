import type { PagePath } from './page-paths.ts';
import { page, type Page } from './lib/pages.ts';
import {
  loadCheckoutReturnPage,
  loadPlansPage,
  loadReturnPage,
  loadRevenuePage,
  loadSignInPage,
  loadSignUpPage,
} from './slice-screens.ts';

/** Every page of the app with its title and the people it is for. */
export const pages = {
  '/': page('Know what a request weighs', 'visitor', () => import('./landing/landing-page.tsx')),
  '/sign-up': page('Create your account', 'visitor', loadSignUpPage),
  '/sign-in': page('Sign in', 'visitor', loadSignInPage),
  '/dashboard': page('Dashboard', 'member', () => import('./dashboard/dashboard-page.tsx')),
  '/plans': page('Plans', 'member', loadPlansPage),
  '/plans/return': page('Plans', 'member', loadCheckoutReturnPage),
  '/connections/return': page('Connections', 'member', loadReturnPage),
  '/settings': page('Settings', 'member', () => import('./settings/settings-page.tsx')),
  '/settings/connections': page('Connections', 'member', () => import('./settings/connections-page.tsx')),
  '/settings/billing': page('Billing', 'member', () => import('./settings/billing-page.tsx')),
  '/settings/api-keys': page('API keys', 'member', () => import('./settings/api-keys-page.tsx')),
  '/operator/revenue': page('Revenue', 'anyone', loadRevenuePage),
  '/settings/assistant': page('Your own assistant', 'member', () => import('./settings/assistant-page.tsx')),
  '/settings/invite': page('Invite friends', 'member', () => import('./settings/invite-page.tsx')),
} satisfies Record<PagePath, Page>;
