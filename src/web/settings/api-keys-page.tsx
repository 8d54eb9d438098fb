import { ApiKeys } from '../../token-counting/web/api-keys.tsx';
import { Playground } from '../../token-counting/web/playground.tsx';
import { Queries } from '../lib/queries.tsx';
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
