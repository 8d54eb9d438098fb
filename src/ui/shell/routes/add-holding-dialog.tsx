import AddInvestment from '../../../features/portfolio/ui/add-investment.tsx';
import { Queries } from '../api/queries.tsx';
import type { BoughtSecurity } from '../dashboard/dashboard-card.ts';

/** Add Investment with a security preselected, over any page of a member. */
export default function AddHoldingDialog({ preset, onClose }: { preset: BoughtSecurity; onClose: () => void }) {
  return (
    <Queries>
      <AddInvestment preset={preset} onClose={onClose} />
    </Queries>
  );
}
