import { lazyConnectDialog } from '../../../features/connections/ui/lazy-connect-dialog.ts';
import { portfolioHoldingsQuery } from '../../../features/portfolio/ui/card-queries.ts';
import { PortfolioPage } from '../../../features/portfolio/ui/page/portfolio-page.tsx';
import { makeOnce } from '../../kit/make-once.ts';
import { prefetchWhenSignedIn, Queries } from '../api/queries.tsx';
import { lazyErrorProps } from '../dashboard/lazy-error-props.ts';
import { LazyComponent } from '../loading/lazy-component.tsx';

function ConnectDialog(props: { onClose: () => void }) {
  return <LazyComponent component={lazyConnectDialog} props={props} {...lazyErrorProps} onClose={props.onClose} />;
}

/** Prefetches the holdings as soon as the session is known, during the first rendering of the page. */
export const start = makeOnce(() => {
  prefetchWhenSignedIn((queries) => {
    void queries.prefetchQuery(portfolioHoldingsQuery);
  });
});

/** Renders `/portfolio` with the dialog of the connections. */
export default function PortfolioRoute() {
  return (
    <Queries>
      <PortfolioPage ConnectDialog={ConnectDialog} />
    </Queries>
  );
}
