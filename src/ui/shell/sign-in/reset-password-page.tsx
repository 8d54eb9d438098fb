import { guardInput } from '../../kit/guard-input.ts';
import { useState } from 'react';
import { Button, getButtonClass } from '../../kit/button.tsx';
import { getFieldText } from '../../kit/field-text.ts';
import type { FormProblem } from '../../kit/form-errors.tsx';
import { Form } from '../../kit/form.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { Link } from '../navigation/link.tsx';
import { callFrontendApi, type FrontendApiResult } from '../session/call-frontend-api.ts';
import { session } from '../session/session.ts';
import { InvalidLink } from './invalid-link.tsx';
import { forgetLinkCode, type LinkCode, readLinkCode } from './link-code.ts';
import { NarrowPage } from './narrow-page.tsx';
import { toFormProblems } from './problem-text.ts';

/** Renders `/reset-password`, which the link of a mail or of the operator opens. */
export default function ResetPasswordPage() {
  const [link] = useState(readLinkCode);
  const [state, setState] = useState<'form' | 'done' | 'invalid'>(link ? 'form' : 'invalid');
  if (state === 'invalid' || !link)
    return (
      <InvalidLink>
        <Link className={getButtonClass('primary')} href="/forgot-password">
          Request a new link
        </Link>
      </InvalidLink>
    );
  if (state === 'done')
    return (
      <NarrowPage
        title="Password changed"
        introduction={
          <span role="status">
            All your other sessions, open links, passkeys, API keys and assistant tokens have ended. What stays unless
            the link confirms this email for the first time: authenticator app and recovery codes. What stays:
            unfinished account connections and unfinished checkouts.
          </span>
        }
      >
        <Link className={getButtonClass('primary')} href="/dashboard">
          Continue
        </Link>
      </NarrowPage>
    );
  return (
    <NarrowPage
      title="Choose a new password"
      introduction="This ends all your other sessions and open links, removes your passkeys, and revokes your API keys and assistant tokens. What stays unless the link confirms this email for the first time: authenticator app and recovery codes. What stays: unfinished account connections and unfinished checkouts."
    >
      <NewPasswordForm link={link} onDone={() => setState('done')} onInvalid={() => setState('invalid')} />
    </NarrowPage>
  );
}

interface NewPasswordFormProps {
  link: LinkCode;
  onDone: () => void;
  onInvalid: () => void;
}

/** Enters the code of the link and sets the password. The link began no sign-in, so its own id names one. */
async function setPassword(link: LinkCode, password: string): Promise<FrontendApiResult> {
  const path = `/v1/client/sign_ins/${link.id}`;
  const strategy = 'reset_password_email_code';
  const code = `${link.id}.${link.secret}`;
  const accepted = await callFrontendApi('POST', `${path}/attempt_first_factor`, { strategy, code });
  return accepted.ok ? callFrontendApi('POST', `${path}/reset_password`, { password }) : accepted;
}

function NewPasswordForm({ link, onDone, onInvalid }: NewPasswordFormProps) {
  async function send(data: FormData): Promise<readonly FormProblem[]> {
    const password = getFieldText(data, 'password');
    if ([...password].length < 8) return [{ field: 'password', message: 'The password needs at least 8 characters.' }];
    const result = await setPassword(link, password);
    const isInvalid = !result.ok && result.problems[0]?.code === 'verification_expired';
    if (!result.ok && !isInvalid) return toFormProblems(result.problems);
    forgetLinkCode();
    if (isInvalid) onInvalid();
    else onDone();
    // The new password starts a session of this browser.
    if (!isInvalid) await session.start();
    return [];
  }

  return (
    <Form errorTitle="Could not change the password" formRef={guardInput} send={send}>
      {({ pending, getProblem }) => (
        <>
          <TextField
            name="password"
            label="New password"
            type="password"
            autoComplete="new-password"
            hint="At least 8 characters. A few random words are easy to remember."
            error={getProblem('password')}
          />
          <Button type="submit" variant="primary" pending={pending}>
            Change password
          </Button>
        </>
      )}
    </Form>
  );
}
