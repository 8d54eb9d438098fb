import { lazyPart } from '../lib/lazy-part.ts';

/** What opens over the dashboard, each in a script of its own. */
export const addInvestment = lazyPart(
  'The form to add an investment',
  () => import('../../investments/web/add-investment.tsx'),
);
export const connectAccount = lazyPart(
  'The way to connect an account',
  () => import('../../connections/web/connect-dialog.tsx'),
);
export const addWidget = lazyPart('The list of widgets', () => import('./add-widget.tsx'));

/** For an address that was followed; the card brings the panel for what is pressed in it. */
export const tickerElsewhere = lazyPart(
  'The ticker’s detail',
  () => import('../../watchlist/web/ticker-elsewhere.tsx'),
);
