import { useSearch } from '../../web/lib/location.ts';
import { session } from '../../web/lib/session.ts';
import { Button } from '../../web/ui/button.tsx';
import { FormErrors, problemOf } from '../../web/ui/form-errors.tsx';
import { Link } from '../../web/ui/link.tsx';
import { TextField } from '../../web/ui/text-field.tsx';
import { AccountCard } from './account-card.tsx';
import { useCredentialsForm } from './use-credentials-form.ts';

/** `/sign-in`: by address and password; `?next=` is the page to go on to. */
export default function SignInPage() {
  const search = useSearch();
  const { problems, pending, onSubmit } = useCredentialsForm('sign-in', (credentials) => session.signIn(credentials));
  return (
    <AccountCard
      title="Sign in"
      lead={search.has('next') ? 'Sign in to go on to the page you asked for.' : 'Good to see you again.'}
      other={
        <>
          New here?{' '}
          <Link className="link" href={`/sign-up${search.size > 0 ? `?${search}` : ''}`}>
            Create an account
          </Link>
        </>
      }
    >
      <form noValidate onSubmit={onSubmit} className="grid gap-5">
        <FormErrors problems={problems} title="You are not signed in" />
        <TextField
          name="email"
          label="E-mail address"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          error={problemOf(problems, 'email')}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          error={problemOf(problems, 'password')}
        />
        <Button type="submit" look="primary" pending={pending}>
          Sign in
        </Button>
      </form>
    </AccountCard>
  );
}
