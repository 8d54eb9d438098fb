import { ApiKeys } from '../../token-api/ui/api-keys.tsx';
import { Playground } from '../../token-api/ui/playground.tsx';
import { Queries } from '../../../ui/shell/api/queries.tsx';
import { SettingsFrame } from './settings-frame.tsx';

/** `/settings/api-keys`: the member's keys for counting from programs. */
export default function ApiKeysPage() {
  return (
    <SettingsFrame title="API keys">
      <Queries>
        <ApiKeys />
      </Queries>
      <Playground />
    </SettingsFrame>
  );
}
