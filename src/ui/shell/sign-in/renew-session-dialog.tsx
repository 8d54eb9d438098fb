import { useDemoAccount } from '../session/demo-account.ts';
import type { Member } from '../session/session-state.ts';
import { session } from '../session/session.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FormActions } from '../../kit/form-actions.tsx';
import { FormErrors, getFieldProblem } from '../../kit/form-errors.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { useCredentialsForm } from './use-credentials-form.ts';

/** Dialog over the page after the session has expired. The member signs in again and continues on that page. */
export default function RenewSessionDialog({ member }: { member: Member }) {
  return useDemoAccount() ? <DemoEndedDialog /> : <RenewByPasswordDialog member={member} />;
}

/** Dialog of the demo account, which has no password: visitors signed in with a link that works once. */
function DemoEndedDialog() {
  return (
    <Dialog title="Your demo session has ended">
      <p className="mt-2 mb-5 text-ink-soft">
        Your session has expired, or its link was revoked. You need a new link to return.
      </p>
      <div className="flex justify-end">
        <Button
          variant="primary"
          autoFocus
          onClick={() => {
            void session.signOut();
          }}
        >
          Leave the demo
        </Button>
      </div>
    </Dialog>
  );
}

function RenewByPasswordDialog({ member }: { member: Member }) {
  const { problems, pending, onSubmit, waiting, startOver } = useCredentialsForm('sign-in', (credentials) =>
    session.signIn(credentials),
  );
  if (waiting)
    return (
      <Dialog title="Your session has ended">
        <p className="mt-2 text-ink-soft">Your work on this page is kept.</p>
        <SecondFactorForm
          waiting={waiting}
          onStartOver={startOver}
          renderActions={(isSending) => <SignInActions pending={isSending} />}
        />
      </Dialog>
    );
  return (
    <Dialog title="Your session has ended">
      <p className="mt-2 mb-5 text-ink-soft">Enter your password to continue. Your work on this page is kept.</p>
      <form noValidate onSubmit={onSubmit} className="grid gap-5">
        <FormErrors problems={problems} title="Sign-in failed" />
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          readOnly
          defaultValue={member.email}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          autoFocus
          error={getFieldProblem(problems, 'password')}
        />
        <SignInActions pending={pending} />
      </form>
      <PasskeyButton />
    </Dialog>
  );
}

const SignInActions = ({ pending }: { pending: boolean }) => (
  <FormActions
    submitLabel="Sign in"
    cancelLabel="Leave this page"
    pending={pending}
    onCancel={() => {
      void session.signOut();
    }}
  />
);
