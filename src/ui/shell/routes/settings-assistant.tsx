import { Tokens } from '../../../features/assistant/ui/tokens.tsx';
import { Queries } from '../api/queries.tsx';
import { SettingsLayout } from '../../../features/settings/ui/settings-layout.tsx';

/** Renders `/settings/assistant`: the tokens and URLs that the member's own assistant needs to read their data. */
export default function AssistantPage() {
  return (
    <SettingsLayout title="Your own assistant">
      <Queries>
        <Tokens />
      </Queries>
    </SettingsLayout>
  );
}
