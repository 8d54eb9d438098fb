import { lazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';

/** Dialog of the member's accounts, which loads on first use. */
export const lazyAccountsDialog = lazyComponent('The list of accounts', () => import('./accounts-dialog.tsx'));
