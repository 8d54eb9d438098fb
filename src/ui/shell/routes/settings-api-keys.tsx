import { ApiKeys } from '../../../features/token-api/ui/api-keys.tsx';
import { SettingsLayout } from '../../../features/settings/ui/settings-layout.tsx';
import { Queries } from '../api/queries.tsx';

/** Renders `/settings/api-keys`: the member's API keys for token counting. */
export default function ApiKeysPage() {
  return (
    <SettingsLayout title="API keys">
      <Queries>
        <ApiKeys />
      </Queries>
    </SettingsLayout>
  );
}
