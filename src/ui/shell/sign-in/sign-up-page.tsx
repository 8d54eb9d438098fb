import { useSearchParams } from '../navigation/location.ts';
import { session } from '../session/session.ts';
import { Link } from '../navigation/link.tsx';
import { AccountCard } from './account-card.tsx';
import { useCredentialsForm } from './use-credentials-form.ts';

/** One line each, so that the form does not move. Who invited is not said. */
const INTRODUCTIONS = {
  unknown: 'An address and a password are all it takes.',
  valid: 'A member has invited you to Tally.',
  invalid: 'The invitation is not valid. Join without it.',
} as const;

/** The referral link that somebody came by. */
export interface Invitation {
  /** Null where there is none. */
  ref: string | null;
  /** Whether the link is a member's; `unknown` while it is looked up, and where that did not work. */
  validity: 'unknown' | 'valid' | 'invalid';
  onSignedUp: (userId: string) => void;
}

/** `/sign-up`: makes an account, also for somebody who came by a member's referral link. */
export function SignUpPage({ invitation }: { invitation: Invitation }) {
  const search = useSearchParams();
  const { ref, validity, onSignedUp } = invitation;
  const form = useCredentialsForm('sign-up', async (credentials) => {
    const result = await session.signUp({ ...credentials, ref });
    if (result.ok) onSignedUp(result.value.userId);
    return result;
  });
  return (
    <AccountCard
      title="Create your account"
      introduction={ref === null ? INTRODUCTIONS.unknown : <span role="status">{INTRODUCTIONS[validity]}</span>}
      form={form}
      errorTitle="The account was not created"
      submitLabel="Create account"
      password={{
        autoComplete: 'new-password',
        hint: 'At least 8 characters. A few words in a row are easy to keep in mind.',
      }}
      footer={
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
