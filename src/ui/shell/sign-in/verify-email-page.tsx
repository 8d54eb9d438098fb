import { useState } from 'react';
import { Button, getButtonClass } from '../../kit/button.tsx';
import { getFieldText } from '../../kit/field-text.ts';
import type { FormProblem } from '../../kit/form-errors.tsx';
import { Form } from '../../kit/form.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { Link } from '../navigation/link.tsx';
import { callFrontendApi } from '../session/call-frontend-api.ts';
import { session } from '../session/session.ts';
import { InvalidLink } from './invalid-link.tsx';
import { forgetLinkCode, readLinkCode } from './link-code.ts';
import { NarrowPage } from './narrow-page.tsx';
import { toFormProblems } from './problem-text.ts';

/**
 * Renders `/verify-email`, which the link of a mail opens. Nothing happens until the button is pressed. The provider asks
 * for the password where the browser is not signed in to the account.
 */
export default function VerifyEmailPage() {
  const [link] = useState(readLinkCode);
  const [state, setState] = useState<'ready' | 'done' | 'invalid'>(link ? 'ready' : 'invalid');
  const [needsPassword, setNeedsPassword] = useState(false);
  if (state === 'invalid' || !link)
    return (
      <InvalidLink>
        <Link className={getButtonClass('primary')} href="/settings">
          Open settings
        </Link>
      </InvalidLink>
    );
  const { id, secret } = link;

  async function confirm(data: FormData): Promise<readonly FormProblem[]> {
    const password = getFieldText(data, 'password');
    if (needsPassword && password === '') return [{ field: 'password', message: 'Enter your password.' }];
    const form = { token: `${id}.${secret}`, ...(needsPassword && { password }) };
    const result = await callFrontendApi('POST', '/v1/verify', form);
    const code = result.ok ? undefined : result.problems[0]?.code;
    if (code === 'signed_out') {
      setNeedsPassword(true);
      if (!needsPassword) return [];
      return [
        { field: null, message: 'This account needs its authenticator app. Sign in here, then open the link again.' },
      ];
    }
    if (code === 'form_password_incorrect') return [{ field: 'password', message: 'Password is incorrect.' }];
    if (!result.ok && code !== 'verification_expired') return toFormProblems(result.problems);
    forgetLinkCode();
    setState(result.ok ? 'done' : 'invalid');
    // The address of a signed-in member may have changed.
    if (result.ok) await session.start();
    return [];
  }

  if (state === 'done')
    return (
      <NarrowPage title="Email confirmed" introduction={<span role="status">Thank you.</span>}>
        <Link className={getButtonClass('primary')} href="/dashboard">
          Continue
        </Link>
      </NarrowPage>
    );
  return (
    <NarrowPage
      title="Confirm your email"
      introduction={
        needsPassword ? (
          <span role="status">
            You are not signed in to this account here. Enter its password to confirm the email.
          </span>
        ) : (
          'Press the button to confirm that the email of the link is yours.'
        )
      }
    >
      <Form errorTitle="Could not confirm the email" send={confirm}>
        {({ pending, getProblem }) => (
          <>
            {needsPassword && (
              <TextField
                name="password"
                label="Your password"
                type="password"
                autoComplete="current-password"
                autoFocus
                error={getProblem('password')}
              />
            )}
            <Button type="submit" variant="primary" pending={pending}>
              Confirm email
            </Button>
          </>
        )}
      </Form>
    </NarrowPage>
  );
}
