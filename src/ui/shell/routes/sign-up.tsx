import { useInvitation } from '../../../features/referrals/ui/invitation.ts';
import { SignUpPage } from '../sign-in/sign-up-page.tsx';

/** `/sign-up`, with the referral link that somebody came by. */
export default function SignUpRoute() {
  return <SignUpPage invitation={useInvitation()} />;
}
