import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { askAssistant } from '../../../features/assistant/ui/assistant-route-panel.tsx';
import type { Position } from '../../../features/portfolio/contract.ts';
import { lazyHoldingDialog } from '../../../features/portfolio/ui/dashboard/lazy-components.ts';
import { SecurityPanel } from '../../../features/securities/ui/security-panel.tsx';
import { captureRangeChange } from '../../../features/watchlist/ui/security/capture-range.ts';
import { SecurityActions } from '../../../features/watchlist/ui/security/security-actions.tsx';
import { useStore } from '../../kit/use-store.ts';
import { Queries } from '../api/queries.tsx';
import type { BoughtSecurity } from '../dashboard/dashboard-card.ts';
import { lazyErrorProps } from '../dashboard/lazy-error-props.ts';
import { LazyComponent } from '../loading/lazy-component.tsx';
import { privacyMode } from '../session/privacy-mode.ts';

interface MemberSecurityPanelProps {
  symbol: string;
  /** Opens Add Investment with the security preselected. */
  onAddHolding: (security: BoughtSecurity) => void;
}

/** Panel of one security with the parts of watchlist and portfolio. */
export default function MemberSecurityPanel(props: MemberSecurityPanelProps) {
  return (
    <Queries>
      <PanelWithDialog {...props} />
    </Queries>
  );
}

function PanelWithDialog({ symbol, onAddHolding }: MemberSecurityPanelProps) {
  const privacy = useStore(privacyMode);
  const queries = useQueryClient();
  const [editedPosition, setEditedPosition] = useState<Position | null>(null);
  const closeDialog = (): void => setEditedPosition(null);
  return (
    <>
      <SecurityPanel
        symbol={symbol}
        privacy={privacy}
        features={{
          renderActions: (props) => <SecurityActions {...props} onAddHolding={onAddHolding} onAsk={askAssistant} />,
          onEdit: setEditedPosition,
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
