import { lazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';

/** Components that are loaded on demand, each in its own script. */
export const lazyAddInvestment = lazyComponent(
  'The form to add an investment',
  () => import('../../holdings/ui/add-investment.tsx'),
);
export const lazyHoldingDialog = lazyComponent('The holding', () => import('../../holdings/ui/holding-dialog.tsx'));
export const lazyAddCard = lazyComponent('The list of cards', () => import('./add-card.tsx'));
export const lazyCardDragHandle = lazyComponent('The card toolbar', () => import('./card-drag-handle.tsx'));
export const lazySignInMessage = lazyComponent('The notice of a sign-in', () => import('./sign-in-message.tsx'));
export const lazyFirstRunCard = lazyComponent('The first steps', () => import('./first-run-card.tsx'));
export const lazyEmptyDashboard = lazyComponent('The empty dashboard', () => import('./empty-dashboard.tsx'));
export const lazyComparison = lazyComponent('The comparison with a fund', () => import('./fund-comparison.tsx'));
export const lazyPastPrices = lazyComponent('Past prices', () => import('./past-prices.tsx'));
export const lazyPositionsTable = lazyComponent('The table of holdings', async () => {
  const { PositionsTable } = await import('../../holdings/ui/page/holdings-table.tsx');
  return { default: PositionsTable };
});
export const lazyPositionsList = lazyComponent('The list of holdings', async () => {
  const { PositionsList } = await import('./cards/positions-list.tsx');
  return { default: PositionsList };
});
