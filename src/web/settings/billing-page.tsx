import { Billing } from '../../billing/web/billing.tsx';
import { Queries } from '../lib/queries.tsx';
import { SettingsFrame } from './settings-frame.tsx';

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
