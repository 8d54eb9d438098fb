import { Billing } from '../../../features/billing/ui/billing.tsx';
import { Queries } from '../api/queries.tsx';
import { SettingsFrame } from '../../../features/settings/ui/settings-frame.tsx';

/** `/settings/billing`: the plan, what it costs, and the invoices. */
export default function BillingPage() {
  return (
    <SettingsFrame title="Billing">
      <Queries>
        <Billing />
      </Queries>
    </SettingsFrame>
  );
}
