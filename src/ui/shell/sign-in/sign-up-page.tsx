import { useEffect, useState } from 'react';
import { useSearch } from '../navigation/location.ts';
import { forgetReferral, rememberedReferral, reportSignUp } from '../../../features/referrals/ui/referral.ts';
import { session } from '../session/session.ts';
import { Link } from '../navigation/link.tsx';
import { AccountCard } from './account-card.tsx';
import { useCredentialsForm } from './use-credentials-form.ts';

/** One line each, so that the form does not move. Who invited is not said. */
const LEADS = {
  unknown: 'An address and a password are all it takes.',
  valid: 'A member has invited you to Tally.',
  invalid: 'The invitation is not valid. Join without it.',
} as const;

/** `/sign-up`: makes an account, also for somebody who came by a member's referral link. */
export default function SignUpPage() {
  const search = useSearch();
  const [ref] = useState(rememberedReferral);
  const invitation = useInvitation(ref);
  const form = useCredentialsForm('sign-up', async (credentials) => {
    const result = await session.signUp({ ...credentials, ref });
    if (!result.ok) return result;
    forgetReferral();
    if (ref !== null) reportSignUp(result.value.userId, ref);
    return result;
  });
  return (
    <AccountCard
      title="Create your account"
      lead={ref === null ? LEADS.unknown : <span role="status">{LEADS[invitation]}</span>}
      form={form}
      failure="The account was not created"
      submit="Create account"
      password={{
        autoComplete: 'new-password',
        hint: 'At least 8 characters. A few words in a row are easy to keep in mind.',
      }}
      other={
        <>
          You have an account?{' '}
          <Link className="link" href={`/sign-in${search.size > 0 ? `?${search}` : ''}`}>
            Sign in
          </Link>
        </>
      }
    />
  );
}

/** Whether a referral link is a member's; `unknown` while it is looked up, and where that did not work. */
type Invitation = 'unknown' | 'valid' | 'invalid';

/** Looks the link up, without a session, and forgets one that is nobody's. The form works meanwhile. */
function useInvitation(ref: string | null): Invitation {
  const [known, setKnown] = useState<{ ref: string; invitation: Invitation }>();
  useEffect(() => {
    if (ref === null) return undefined;
    const left = new AbortController();
    void lookUp(ref, left.signal).then((invitation) => {
      if (left.signal.aborted) return;
      if (invitation === 'invalid') forgetReferral();
      setKnown({ ref, invitation });
    });
    return () => left.abort();
  }, [ref]);
  return known && known.ref === ref ? known.invitation : 'unknown';
}

async function lookUp(ref: string, left: AbortSignal): Promise<Invitation> {
  try {
    const { status } = await fetch(`/api/referrals/validate-referrer?ref=${encodeURIComponent(ref)}`, {
      signal: AbortSignal.any([left, AbortSignal.timeout(10_000)]),
    });
    return status === 200 ? 'valid' : status === 404 ? 'invalid' : 'unknown';
  } catch {
    return 'unknown';
  }
}
