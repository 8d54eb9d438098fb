import { useInvitation } from '../../../features/referrals/ui/invitation.ts';
import { SignUpPage } from '../sign-in/sign-up-page.tsx';

/** Renders `/sign-up` with the visitor's referral link. */
export default function SignUpRoute() {
  return <SignUpPage invitation={useInvitation()} />;
}
