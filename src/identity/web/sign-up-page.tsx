import { useSearch } from '../../web/lib/location.ts';
import { session } from '../../web/lib/session.ts';
import { Button } from '../../web/ui/button.tsx';
import { FormErrors, problemOf } from '../../web/ui/form-errors.tsx';
import { Link } from '../../web/ui/link.tsx';
import { TextField } from '../../web/ui/text-field.tsx';
import { AccountCard } from './account-card.tsx';
import { referralCode } from './credentials.ts';
import { useCredentialsForm } from './use-credentials-form.ts';

/** `/sign-up`: makes an account; `?ref=` names the member who invited. */
export default function SignUpPage() {
  const search = useSearch();
  const ref = referralCode(search);
  const { problems, pending, onSubmit } = useCredentialsForm('sign-up', (credentials) =>
    session.signUp({ ...credentials, ref }),
  );
  return (
    <AccountCard
      title="Create your account"
      lead="An address and a password are all it takes."
      other={
        <>
          You have an account?{' '}
          <Link className="link" href={`/sign-in${search.size > 0 ? `?${search}` : ''}`}>
            Sign in
          </Link>
        </>
      }
    >
      <form noValidate onSubmit={onSubmit} className="grid gap-5">
        <FormErrors problems={problems} title="The account was not created" />
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
          autoComplete="new-password"
          hint="At least 8 characters. A few words in a row are easy to keep in mind."
          error={problemOf(problems, 'password')}
        />
        <Button type="submit" look="primary" pending={pending}>
          Create account
        </Button>
      </form>
    </AccountCard>
  );
}
