import { Connections } from '../../../features/connections/ui/connections.tsx';
import { AccountAmounts } from '../../../features/portfolio/accounts/ui/account-amounts.tsx';
import { privacyMode } from '../session/privacy-mode.ts';
import { Queries } from '../api/queries.tsx';
import { useStore } from '../../kit/use-store.ts';
import { SettingsLayout } from '../../../features/settings/ui/settings-layout.tsx';

/** Renders `/settings/connections`: the member's connected banks and brokerages. */
export default function ConnectionsPage() {
  const privacy = useStore(privacyMode);
  return (
    <SettingsLayout title="Connections">
      <Queries>
        <Connections
          privacy={privacy}
          renderAmounts={(account) => <AccountAmounts account={account} privacy={privacy} />}
        />
      </Queries>
    </SettingsLayout>
  );
}
