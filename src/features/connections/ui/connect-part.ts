import { lazyPart } from '../../../ui/shell/loading/lazy-part.tsx';

/** The dialog in which connecting begins, for each page that opens it. */
export const connectPart = lazyPart('The way to connect an account', () => import('./connect-dialog.tsx'));
