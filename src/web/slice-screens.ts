import { lazyPart } from './lib/lazy-part.ts';

/** The screens that the slices bring, each in a script of its own. */
export const loadSignUpPage = () => import('../identity/web/sign-up-page.tsx');
export const loadSignInPage = () => import('../identity/web/sign-in-page.tsx');
export const loadReturnPage = () => import('../connections/web/return-page.tsx');
export const loadCheckoutReturnPage = () => import('../billing/web/return-page.tsx');
export const loadRevenuePage = () => import('../billing/web/revenue-page.tsx');
export const loadPlansPage = () => import('../billing/web/plans-page.tsx');

export const renewSession = lazyPart(
  'The form to sign in again',
  () => import('../identity/web/renew-session-dialog.tsx'),
);
