import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { askAssistant } from '../../../features/assistant/ui/pending-question.ts';
import type { Position } from '../../../features/portfolio/holdings/contract.ts';
import { lazyAddInvestment, lazyHoldingDialog } from '../../../features/portfolio/dashboard/ui/lazy-components.ts';
import { SecurityPosition } from '../../../features/portfolio/holdings/ui/security-position.tsx';
import { SecurityPanel } from '../../../features/securities/ui/security-panel.tsx';
import { readWatchedName } from '../../../features/watchlist/ui/list/watchlist-query.ts';
import { captureRangeChange } from '../../../features/watchlist/ui/security/capture-range.ts';
import { SecurityActions } from '../../../features/watchlist/ui/security/security-actions.tsx';
import { useStore } from '../../kit/use-store.ts';
import { Queries } from '../api/queries.tsx';
import type { BoughtSecurity } from '../../../features/portfolio/dashboard/ui/shared/dashboard-card.ts';
import { lazyErrorProps } from '../loading/lazy-error-props.ts';
import { LazyComponent } from '../loading/lazy-component.tsx';
import { useOpenSymbol } from '../navigation/security-url.ts';
import { privacyMode } from '../session/privacy-mode.ts';

/** Security of the address over any page of a member, and the form that adds it to the holdings. */
export default function MemberSecurityPanel() {
  const symbol = useOpenSymbol();
  // The form replaces the panel, so it is kept here.
  const [addedSecurity, setAddedSecurity] = useState<BoughtSecurity | null>(null);
  const closeForm = (): void => setAddedSecurity(null);
  return (
    <Queries>
      {symbol !== null && <PanelWithDialog key={symbol} symbol={symbol} onAddHolding={setAddedSecurity} />}
      {addedSecurity && (
        <LazyComponent
          component={lazyAddInvestment}
          props={{ preset: addedSecurity, onClose: closeForm }}
          {...lazyErrorProps}
          onClose={closeForm}
        />
      )}
    </Queries>
  );
}

interface PanelWithDialogProps {
  symbol: string;
  /** Opens Add Investment with the security preselected. */
  onAddHolding: (security: BoughtSecurity) => void;
}

/** Panel of one security with the parts of watchlist and portfolio. */
function PanelWithDialog({ symbol, onAddHolding }: PanelWithDialogProps) {
  const privacy = useStore(privacyMode);
  const queries = useQueryClient();
  const [editedPosition, setEditedPosition] = useState<Position | null>(null);
  const closeDialog = (): void => setEditedPosition(null);
  return (
    <>
      <SecurityPanel
        symbol={symbol}
        knownName={readWatchedName(queries, symbol)}
        features={{
          renderActions: (props) => <SecurityActions {...props} onAddHolding={onAddHolding} onAsk={askAssistant} />,
          renderPosition: (position) => (
            <SecurityPosition position={position} privacy={privacy} onEdit={() => setEditedPosition(position)} />
          ),
          onRangeChange: (changed, range) => captureRangeChange(queries, changed, range),
        }}
      />
      {editedPosition && (
        <LazyComponent
          component={lazyHoldingDialog}
          props={{ position: editedPosition, privacy, onClose: closeDialog }}
          {...lazyErrorProps}
          onClose={closeDialog}
        />
      )}
    </>
  );
}
