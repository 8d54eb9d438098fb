import { lazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';

/** Dialogs of the page that load on first use, each in its own script. */
export const lazyHoldingDialog = lazyComponent('The holding', () => import('../holding-dialog.tsx'));
export const lazyAccountsDialog = lazyComponent('The list of accounts', () => import('../accounts-dialog.tsx'));
