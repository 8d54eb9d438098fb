import { useSearchParams } from '../navigation/location.ts';
import { session } from '../session/session.ts';
import { Link } from '../navigation/link.tsx';
import { AccountCard } from './account-card.tsx';
import { useCredentialsForm } from './use-credentials-form.ts';

/** One line each, so that the form does not shift. The text does not name the referrer. */
const INTRODUCTIONS = {
  unknown: 'All you need is an email and a password.',
  valid: 'A member has invited you to Tally.',
  invalid: 'This invitation is not valid. You can still sign up.',
} as const;

/** Referral link of the visitor. */
export interface Invitation {
  /** Code of the link. null if there is none. */
  ref: string | null;
  /** Whether the link belongs to a member. `unknown` while the check runs and if it failed. */
  validity: 'unknown' | 'valid' | 'invalid';
  onSignedUp: (userId: string) => void;
}

/** Renders `/sign-up`, with or without a referral link. */
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
      errorTitle="Could not create the account"
      submitLabel="Create account"
      password={{
        autoComplete: 'new-password',
        hint: 'At least 8 characters. A few random words are easy to remember.',
      }}
      footer={
        <>
          Already have an account?{' '}
          <Link className="link" href={`/sign-in${search.size > 0 ? `?${search}` : ''}`}>
            Sign in
          </Link>
        </>
      }
    />
  );
}
