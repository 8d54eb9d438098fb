import type { PagePath } from './page-paths.ts';
import { page, type Page } from './lib/pages.ts';

/** Every page of the app with its title, the people it is for, and its screen in a script of its own. */
export const pages = {
  '/': page('Know what a request weighs', 'visitor', () => import('./landing/landing-page.tsx')),
  '/sign-up': page('Create your account', 'visitor', () => import('../identity/web/sign-up-page.tsx')),
  '/sign-in': page('Sign in', 'visitor', () => import('../identity/web/sign-in-page.tsx')),
  '/dashboard': page('Dashboard', 'member', () => import('./dashboard/dashboard-page.tsx')),
  '/plans': page('Plans', 'member', () => import('../billing/web/plans-page.tsx')),
  '/plans/return': page('Plans', 'member', () => import('../billing/web/return-page.tsx')),
  '/connections/return': page('Connections', 'member', () => import('../connections/web/return-page.tsx')),
  '/settings': page('Settings', 'member', () => import('./settings/settings-page.tsx')),
  '/settings/connections': page('Connections', 'member', () => import('./settings/connections-page.tsx')),
  '/settings/billing': page('Billing', 'member', () => import('./settings/billing-page.tsx')),
  '/settings/api-keys': page('API keys', 'member', () => import('./settings/api-keys-page.tsx')),
  '/operator/revenue': page('Revenue', 'anyone', () => import('../billing/web/revenue-page.tsx')),
  '/settings/assistant': page('Your own assistant', 'member', () => import('./settings/assistant-page.tsx')),
  '/settings/invite': page('Invite friends', 'member', () => import('./settings/invite-page.tsx')),
} satisfies Record<PagePath, Page>;
