import { useSearch } from '../navigation/location.ts';
import { session } from '../session/session.ts';
import { Link } from '../navigation/link.tsx';
import { AccountCard } from './account-card.tsx';
import { useCredentialsForm } from './use-credentials-form.ts';

/** `/sign-in`: by address and password; `?next=` is the page to go on to. */
export default function SignInPage() {
  const search = useSearch();
  const form = useCredentialsForm('sign-in', (credentials) => session.signIn(credentials));
  return (
    <AccountCard
      title="Sign in"
      lead={search.has('next') ? 'Sign in to go on to the page you asked for.' : 'Good to see you again.'}
      form={form}
      failure="You are not signed in"
      submit="Sign in"
      password={{ autoComplete: 'current-password' }}
      other={
        <>
          New here?{' '}
          <Link className="link" href={`/sign-up${search.size > 0 ? `?${search}` : ''}`}>
            Create an account
          </Link>
        </>
      }
    />
  );
}
