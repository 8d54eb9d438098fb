import { useState } from 'react';
import { Button, getButtonClass } from '../../kit/button.tsx';
import { FormErrors, type FormProblem } from '../../kit/form-errors.tsx';
import { Link } from '../navigation/link.tsx';
import { callFrontendApi } from '../session/call-frontend-api.ts';
import { InvalidLink } from './invalid-link.tsx';
import { forgetLinkCode, readLinkCode } from './link-code.ts';
import { NarrowPage } from './narrow-page.tsx';
import { toFormProblems } from './problem-text.ts';

const resetLink = (
  <Link className={getButtonClass('primary')} href="/forgot-password">
    Reset password
  </Link>
);

/** Renders `/stop-email-change`, which a mail to the current address opens. Nothing happens until the button is pressed. */
export default function StopEmailChangePage() {
  const [link] = useState(readLinkCode);
  const [state, setState] = useState<'ready' | 'done' | 'invalid'>(link ? 'ready' : 'invalid');
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [pending, setPending] = useState(false);
  if (state === 'invalid' || !link) return <InvalidLink>{resetLink}</InvalidLink>;
  const { id, secret } = link;

  async function stop(): Promise<void> {
    setPending(true);
    const result = await callFrontendApi('POST', '/v1/stop_email_change', { token: `${id}.${secret}` });
    setPending(false);
    if (!result.ok && result.problems[0]?.code !== 'verification_expired')
      return setProblems(toFormProblems(result.problems));
    forgetLinkCode();
    setState(result.ok ? 'done' : 'invalid');
  }

  if (state === 'done')
    return (
      <NarrowPage
        title="Change stopped"
        introduction={
          <span role="status">
            Your email stays as it is. Whoever asked for the change knows your password, so choose a new one now.
          </span>
        }
      >
        {resetLink}
      </NarrowPage>
    );
  return (
    <NarrowPage
      title="Stop the change of your email"
      introduction="Press the button if you did not ask for a new email. Your account then keeps its current one."
    >
      <div className="grid gap-5">
        <FormErrors problems={problems} title="Could not stop the change" />
        <Button
          variant="primary"
          pending={pending}
          onClick={() => {
            void stop();
          }}
        >
          Stop the change
        </Button>
      </div>
    </NarrowPage>
  );
}
