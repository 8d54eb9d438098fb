import { InviteFriends } from '../../../features/referrals/ui/invite-friends.tsx';
import { Queries } from '../api/queries.tsx';
import { SettingsLayout } from '../../../features/settings/ui/settings-layout.tsx';

/** `/settings/invite`: the member's link, and what came of it. */
export default function InvitePage() {
  return (
    <SettingsLayout title="Invite friends">
      <Queries>
        <InviteFriends />
      </Queries>
    </SettingsLayout>
  );
}
