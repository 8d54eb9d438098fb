import { Queries } from '../lib/queries.tsx';
import { ApiKeys, Playground } from '../slice-screens.ts';
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
