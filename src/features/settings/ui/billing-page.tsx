import { Billing } from '../../billing/ui/billing.tsx';
import { Queries } from '../../../ui/shell/api/queries.tsx';
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
