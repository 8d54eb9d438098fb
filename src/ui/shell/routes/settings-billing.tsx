import { Billing } from '../../../features/billing/ui/billing.tsx';
import { Queries } from '../api/queries.tsx';
import { SettingsLayout } from '../../../features/settings/ui/settings-layout.tsx';

/** Renders `/settings/billing`: the plan, its price, and the invoices. */
export default function BillingPage() {
  return (
    <SettingsLayout title="Billing">
      <Queries>
        <Billing />
      </Queries>
    </SettingsLayout>
  );
}
