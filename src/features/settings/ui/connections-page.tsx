import { Connections } from '../../connections/ui/connections.tsx';
import { privacyMode } from '../../../ui/shell/session/privacy-mode.ts';
import { Queries } from '../../../ui/shell/api/queries.tsx';
import { useStore } from '../../../ui/kit/use-store.ts';
import { SettingsFrame } from './settings-frame.tsx';

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
