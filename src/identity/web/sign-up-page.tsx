import { useSearch } from '../../web/lib/location.ts';
import { session } from '../../web/lib/session.ts';
import { Link } from '../../web/ui/link.tsx';
import { AccountCard } from './account-card.tsx';
import { referralCode } from './credentials.ts';
import { useCredentialsForm } from './use-credentials-form.ts';

/** `/sign-up`: makes an account; `?ref=` names the member who invited. */
export default function SignUpPage() {
  const search = useSearch();
  const ref = referralCode(search);
  const form = useCredentialsForm('sign-up', (credentials) => session.signUp({ ...credentials, ref }));
  return (
    <AccountCard
      title="Create your account"
      lead="An address and a password are all it takes."
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
