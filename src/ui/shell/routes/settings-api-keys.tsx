import { ApiKeys } from '../../../features/token-api/ui/api-keys.tsx';
import { Playground } from '../../../features/token-api/ui/playground.tsx';
import { Queries } from '../api/queries.tsx';
import { SettingsLayout } from '../../../features/settings/ui/settings-layout.tsx';

/** `/settings/api-keys`: the member's keys for counting from programs. */
export default function ApiKeysPage() {
  return (
    <SettingsLayout title="API keys">
      <Queries>
        <ApiKeys />
      </Queries>
      <Playground />
    </SettingsLayout>
  );
}
