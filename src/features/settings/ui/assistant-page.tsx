import { Tokens } from '../../assistant/ui/tokens.tsx';
import { Queries } from '../../../ui/shell/api/queries.tsx';
import { SettingsFrame } from './settings-frame.tsx';

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
