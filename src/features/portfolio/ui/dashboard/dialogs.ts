import { lazyPart } from '../../../../ui/shell/loading/lazy-part.tsx';

/** What the dashboard shows only when it is asked for, each in a script of its own. */
export const addInvestment = lazyPart('The form to add an investment', () => import('../add-investment.tsx'));
export const addWidget = lazyPart('The list of widgets', () => import('./add-widget.tsx'));
export const cardBar = lazyPart('The bar to arrange a card', () => import('./card-bar.tsx'));
export const emptyDashboard = lazyPart('The place of your cards', () => import('./empty-dashboard.tsx'));
