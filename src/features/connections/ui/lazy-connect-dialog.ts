import { lazyComponent } from '../../../ui/shell/loading/lazy-component.tsx';

/** Connection dialog for each page that opens it. */
export const lazyConnectDialog = lazyComponent('The connection dialog', () => import('./connect-dialog.tsx'));
