import { lazy } from 'react';

/** The screens that the slices bring; no other file of the shell reaches into a slice. */
export const loadSignUpPage = () => import('../identity/web/sign-up-page.tsx');
export const loadSignInPage = () => import('../identity/web/sign-in-page.tsx');
export const loadPlansPage = () => import('../billing/web/plans-page.tsx');

export const RenewSessionDialog = lazy(() => import('../identity/web/renew-session-dialog.tsx'));
export const ApiKeys = lazy(() => import('../token-counting/web/api-keys.tsx'));
export const Playground = lazy(() => import('../token-counting/web/playground.tsx'));
