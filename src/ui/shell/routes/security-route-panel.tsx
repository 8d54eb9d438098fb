import { useState } from 'react';
import type { BoughtSecurity } from '../dashboard/dashboard-card.ts';
import { lazyErrorProps } from '../dashboard/lazy-error-props.ts';
import { lazyComponent, LazyComponent } from '../loading/lazy-component.tsx';
import { setSecurityPanelPreload } from '../securities/preload-security-panel.ts';
import { closeSecurity, useOpenSymbol } from '../securities/security-url.ts';

const lazySecurityPanel = lazyComponent('The security', () => import('./security-panel.tsx'));
const lazyAddHolding = lazyComponent('The form to add an investment', () => import('./add-holding-dialog.tsx'));

setSecurityPanelPreload(lazySecurityPanel.preload);

/** The error of code that did not load stays in sight, wherever the page is scrolled. */
const errorProps = {
  ...lazyErrorProps,
  className: 'fixed inset-x-4 bottom-4 z-20 mx-auto max-w-prose rounded-control shadow-raised',
};

/** Shows the security of the address over any page of a member, and the form that adds it to the holdings. */
export function SecurityRoutePanel() {
  const symbol = useOpenSymbol();
  // The form replaces the panel, so it is kept here.
  const [addedSecurity, setAddedSecurity] = useState<BoughtSecurity | null>(null);
  const closeForm = (): void => setAddedSecurity(null);
  return (
    <>
      {symbol !== null && (
        <LazyComponent
          key={symbol}
          component={lazySecurityPanel}
          props={{ symbol, onAddHolding: setAddedSecurity }}
          {...errorProps}
          onClose={closeSecurity}
        />
      )}
      {addedSecurity && (
        <LazyComponent
          component={lazyAddHolding}
          props={{ preset: addedSecurity, onClose: closeForm }}
          {...errorProps}
          onClose={closeForm}
        />
      )}
    </>
  );
}
