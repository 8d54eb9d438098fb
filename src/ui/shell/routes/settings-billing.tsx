import { Billing } from '../../../features/billing/ui/billing.tsx';
import { Queries } from '../api/queries.tsx';
import { SettingsLayout } from '../../../features/settings/ui/settings-layout.tsx';

/** `/settings/billing`: the plan, what it costs, and the invoices. */
export default function BillingPage() {
  return (
    <SettingsLayout title="Billing">
      <Queries>
        <Billing />
      </Queries>
    </SettingsLayout>
  );
}
