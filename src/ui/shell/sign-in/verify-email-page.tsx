import { useState } from 'react';
import { Button, getButtonClass } from '../../kit/button.tsx';
import { FormErrors, type FormProblem } from '../../kit/form-errors.tsx';
import { Link } from '../navigation/link.tsx';
import { callFrontendApi } from '../session/call-frontend-api.ts';
import { session } from '../session/session.ts';
import { InvalidLink } from './invalid-link.tsx';
import { forgetLinkCode, readLinkCode } from './link-code.ts';
import { NarrowPage } from './narrow-page.tsx';
import { toFormProblems } from './problem-text.ts';

/** Renders `/verify-email`, which the link of a mail opens. Nothing happens until the button is pressed. */
export default function VerifyEmailPage() {
  const [link] = useState(readLinkCode);
  const [state, setState] = useState<'ready' | 'done' | 'invalid'>(link ? 'ready' : 'invalid');
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [pending, setPending] = useState(false);
  if (state === 'invalid' || !link)
    return (
      <InvalidLink>
        <Link className={getButtonClass('primary')} href="/settings">
          Open settings
        </Link>
      </InvalidLink>
    );
  const { id, secret } = link;

  async function confirm(): Promise<void> {
    setPending(true);
    const result = await callFrontendApi('POST', '/v1/verify', { token: `${id}.${secret}` });
    setPending(false);
    if (!result.ok && result.problems[0]?.code !== 'verification_expired')
      return setProblems(toFormProblems(result.problems));
    forgetLinkCode();
    setState(result.ok ? 'done' : 'invalid');
    // The address of a signed-in member may have changed.
    if (result.ok) await session.start();
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
      introduction="Press the button to confirm that the email of the link is yours."
    >
      <div className="grid gap-5">
        <FormErrors problems={problems} title="Could not confirm the email" />
        <Button
          variant="primary"
          pending={pending}
          onClick={() => {
            void confirm();
          }}
        >
          Confirm email
        </Button>
      </div>
    </NarrowPage>
  );
}
