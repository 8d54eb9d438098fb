import { lazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';

/** Components that are loaded on demand, each in its own script. */
export const lazyAddInvestment = lazyComponent(
  'The form to add an investment',
  () => import('../../holdings/ui/add-investment.tsx'),
);
export const lazyHoldingDialog = lazyComponent('The holding', () => import('../../holdings/ui/holding-dialog.tsx'));
export const lazyAddWidget = lazyComponent('The list of widgets', () => import('./add-widget.tsx'));
export const lazyCardDragHandle = lazyComponent('The card toolbar', () => import('./card-drag-handle.tsx'));
export const lazyEmptyDashboard = lazyComponent('The empty dashboard', () => import('./empty-dashboard.tsx'));
