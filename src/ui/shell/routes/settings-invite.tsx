import { InviteFriends } from '../../../features/referrals/ui/invite-friends.tsx';
import { Queries } from '../api/queries.tsx';
import { SettingsFrame } from '../../../features/settings/ui/settings-frame.tsx';

/** `/settings/invite`: the member's link, and what came of it. */
export default function InvitePage() {
  return (
    <SettingsFrame title="Invite friends">
      <Queries>
        <InviteFriends />
      </Queries>
    </SettingsFrame>
  );
}
