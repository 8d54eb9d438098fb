import { useSearch } from '../../web/lib/location.ts';
import { session } from '../../web/lib/session.ts';
import { Link } from '../../web/ui/link.tsx';
import { AccountCard } from './account-card.tsx';
import { referralCode } from './credentials.ts';
import { useCredentialsForm } from './use-credentials-form.ts';
import { useInvitation } from './use-invitation.ts';

/** One line each, so that the form does not move. Who invited is not said. */
const LEADS = {
  unknown: 'An address and a password are all it takes.',
  valid: 'A member has invited you to Tally.',
  invalid: 'The invitation is not valid. Join without it.',
} as const;

/** `/sign-up`: makes an account; `?ref=` is the link of the member who invited. It stays in the address. */
export default function SignUpPage() {
  const search = useSearch();
  const ref = referralCode(search);
  const invitation = useInvitation(ref);
  const form = useCredentialsForm('sign-up', (credentials) => session.signUp({ ...credentials, ref }));
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
