import { lazyPart } from '../../web/lib/lazy-part.ts';

/** The question before a plan is changed, for each page that asks it. */
export const changePart = lazyPart('The change of plan', () => import('./change-dialog.tsx'));
