import { Connections } from '../../../features/connections/ui/connections.tsx';
import { privacyMode } from '../session/privacy-mode.ts';
import { Queries } from '../api/queries.tsx';
import { useStore } from '../../kit/use-store.ts';
import { SettingsLayout } from '../../../features/settings/ui/settings-layout.tsx';

/** `/settings/connections`: the banks and brokerages that the member has connected. */
export default function ConnectionsPage() {
  const privacy = useStore(privacyMode);
  return (
    <SettingsLayout title="Connections">
      <Queries>
        <Connections privacy={privacy} />
      </Queries>
    </SettingsLayout>
  );
}
