import { Connections } from '../../../features/connections/ui/connections.tsx';
import { privacyMode } from '../session/privacy-mode.ts';
import { Queries } from '../api/queries.tsx';
import { useStore } from '../../kit/use-store.ts';
import { SettingsFrame } from '../../../features/settings/ui/settings-frame.tsx';

/** `/settings/connections`: the banks and brokerages that the member has connected. */
export default function ConnectionsPage() {
  const privacy = useStore(privacyMode);
  return (
    <SettingsFrame title="Connections">
      <Queries>
        <Connections privacy={privacy} />
      </Queries>
    </SettingsFrame>
  );
}
