import { useSearchParams } from '../navigation/location.ts';
import { Button } from '../../kit/button.tsx';
import { useStore } from '../../kit/use-store.ts';
import { publicConfig } from '../session/public-config.ts';
import { session } from '../session/session.ts';
import { closedSignUpTexts, useSignUpMode } from '../session/sign-up-mode.ts';
import { Link } from '../navigation/link.tsx';
import { AccountCard } from './account-card.tsx';
import { NarrowPage } from './narrow-page.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { useCredentialsForm } from './use-credentials-form.ts';

/** Renders `/sign-in` with email and password, and then the second factor of members who have one. `?next=` is the page to open afterwards. */
export default function SignInPage() {
  const search = useSearchParams();
  const signUpMode = useSignUpMode();
  const form = useCredentialsForm('sign-in', (credentials) => session.signIn(credentials));
  if (form.waiting)
    return (
      <NarrowPage title="Two-step verification">
        <SecondFactorForm
          waiting={form.waiting}
          onStartOver={form.startOver}
          renderActions={(pending) => (
            <Button type="submit" variant="primary" pending={pending}>
              Sign in
            </Button>
          )}
        />
        <p className="mt-6 border-t border-line pt-5 text-ink-soft">
          <button type="button" className="link" onClick={() => form.startOver([])}>
            Back to sign-in
          </button>
        </p>
      </NarrowPage>
    );
  return (
    <AccountCard
      title="Sign in"
      introduction={search.has('next') ? 'Sign in to continue.' : 'Welcome back.'}
      form={form}
      errorTitle="Sign-in failed"
      submitLabel="Sign in"
      password={{ autoComplete: 'current-password' }}
      help={
        <>
          <PasskeyButton />
          <ForgotPasswordLink />
        </>
      }
      footer={
        signUpMode === 'open' ? (
          <>
            New here?{' '}
            <Link className="link" href={`/sign-up${search.size > 0 ? `?${search}` : ''}`}>
              Create an account
            </Link>
          </>
        ) : (
          closedSignUpTexts[signUpMode]
        )
      }
    />
  );
}

/** Link to the page for a forgotten password. It keeps its place, unseen, where a hosted provider resets passwords. */
function ForgotPasswordLink() {
  const config = useStore(publicConfig);
  return (
    <p className={`mt-4 ${config && !config.password_recovery ? 'invisible' : ''}`}>
      <Link className="link" href="/forgot-password">
        Forgot your password?
      </Link>
    </p>
  );
}
