import { InviteFriends } from '../../../features/referrals/ui/invite-friends.tsx';
import { Queries } from '../api/queries.tsx';
import { SettingsLayout } from '../../../features/settings/ui/settings-layout.tsx';

/** Renders `/settings/invite`: the member's referral link and its results. */
export default function InvitePage() {
  return (
    <SettingsLayout title="Invite friends">
      <Queries>
        <InviteFriends />
      </Queries>
    </SettingsLayout>
  );
}
