import { lazyConnectDialog } from '../../../features/connections/ui/lazy-connect-dialog.ts';
import { PortfolioPage } from '../../../features/portfolio/ui/portfolio-page.tsx';
import { Queries } from '../api/queries.tsx';
import { lazyErrorProps } from '../loading/lazy-error-props.ts';
import { LazyComponent } from '../loading/lazy-component.tsx';

function ConnectDialog(props: { onClose: () => void }) {
  return <LazyComponent component={lazyConnectDialog} props={props} {...lazyErrorProps} onClose={props.onClose} />;
}

/** Renders `/portfolio` with the dialog of the connections. */
export default function PortfolioRoute() {
  return (
    <Queries>
      <PortfolioPage ConnectDialog={ConnectDialog} />
    </Queries>
  );
}
