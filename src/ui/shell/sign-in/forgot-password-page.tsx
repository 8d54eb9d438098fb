import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { getFieldText } from '../../kit/field-text.ts';
import type { FormProblem } from '../../kit/form-errors.tsx';
import { Form } from '../../kit/form.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useStore } from '../../kit/use-store.ts';
import { Link } from '../navigation/link.tsx';
import { callFrontendApi } from '../session/call-frontend-api.ts';
import { publicConfig } from '../session/public-config.ts';
import { validateEmail } from './credentials.ts';
import { NarrowPage } from './narrow-page.tsx';
import { toFormProblems } from './problem-text.ts';

const TITLE = 'Forgot your password?';

/** Renders `/forgot-password`: requests the mail, or says who gives out a link where no mail is sent. */
export default function ForgotPasswordPage() {
  const recovery = useStore(publicConfig)?.password_recovery;
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (recovery === 'operator' || recovery === null)
    return (
      <NarrowPage
        title={TITLE}
        introduction="This site sends no email. Ask its operator for a link with which you choose a new password."
      >
        <BackToSignIn />
      </NarrowPage>
    );
  if (sentTo !== null) return <MailSent email={sentTo} onRepeat={() => setSentTo(null)} />;
  return (
    <NarrowPage title={TITLE} introduction="Enter your email. You get a link with which you choose a new password.">
      <RequestForm onSent={setSentTo} />
      <BackToSignIn />
    </NarrowPage>
  );
}

function MailSent({ email, onRepeat }: { email: string; onRepeat: () => void }) {
  return (
    <NarrowPage
      title="Check your email"
      introduction={
        <span role="status" className="break-words">
          If there is an account for {email}, a link is on its way. It works once, within an hour.
        </span>
      }
    >
      <p className="mb-6 text-ink-soft">Nothing there? Look into your spam folder, or ask again in a few minutes.</p>
      <Button onClick={onRepeat}>Use another email</Button>
      <BackToSignIn />
    </NarrowPage>
  );
}

function RequestForm({ onSent }: { onSent: (email: string) => void }) {
  async function send(data: FormData): Promise<readonly FormProblem[]> {
    const email = getFieldText(data, 'email').trim();
    const inputProblems = validateEmail(email);
    if (inputProblems.length > 0) return inputProblems;
    const strategy = 'reset_password_email_code';
    const result = await callFrontendApi('POST', '/v1/client/sign_ins', { strategy, identifier: email });
    if (!result.ok) return toFormProblems(result.problems);
    onSent(email);
    return [];
  }

  return (
    <Form errorTitle="Could not send the link" send={send}>
      {({ pending, getProblem }) => (
        <>
          <TextField
            name="email"
            label="Email"
            type="email"
            autoComplete="username"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            error={getProblem('email')}
          />
          <Button type="submit" variant="primary" pending={pending}>
            Send link
          </Button>
        </>
      )}
    </Form>
  );
}

const BackToSignIn = () => (
  <p className="mt-6 border-t border-line pt-5 text-ink-soft">
    <Link className="link" href="/sign-in">
      Back to sign-in
    </Link>
  </p>
);
