import { InviteFriends } from '../../referrals/ui/invite-friends.tsx';
import { Queries } from '../../../ui/shell/api/queries.tsx';
import { SettingsFrame } from './settings-frame.tsx';

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
