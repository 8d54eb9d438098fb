import { Tokens } from '../../../features/assistant/ui/tokens.tsx';
import { Queries } from '../api/queries.tsx';
import { SettingsFrame } from '../../../features/settings/ui/settings-frame.tsx';

/** `/settings/assistant`: what the member's own assistant needs to read their data. */
export default function AssistantPage() {
  return (
    <SettingsFrame title="Your own assistant">
      <Queries>
        <Tokens />
      </Queries>
    </SettingsFrame>
  );
}
