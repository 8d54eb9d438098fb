import { useState } from 'react';
import { Button, getButtonClass } from '../../../ui/kit/button.tsx';
import { FormErrors, type FormProblem } from '../../../ui/kit/form-errors.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import { InvalidLink } from '../../../ui/shell/sign-in/invalid-link.tsx';
import { readLinkCode } from '../../../ui/shell/sign-in/link-code.ts';
import { NarrowPage } from '../../../ui/shell/sign-in/narrow-page.tsx';

const alertsLink = (
  <Link className={getButtonClass('plain')} href="/watchlist?alerts=open">
    See your alerts
  </Link>
);

/** Renders `/stop-alert-mails`, which a mail opens. Mails stop when the button is pressed, without a sign-in. */
export default function StopMailsPage() {
  const [link] = useState(() => readLinkCode());
  const [isDone, setDone] = useState(false);
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [pending, setPending] = useState(false);
  if (!link) return <InvalidLink>{alertsLink}</InvalidLink>;
  const { secret } = link;

  async function stop(): Promise<void> {
    setPending(true);
    const url = `/api/alerts/unsubscribe?code=${encodeURIComponent(secret)}`;
    const isOk = await fetch(url, { method: 'POST', signal: AbortSignal.timeout(20_000) }).then(
      (response) => response.ok,
      () => false,
    );
    setPending(false);
    if (isOk) setDone(true);
    else setProblems([{ field: null, message: 'Tally cannot be reached. Check your connection and try again.' }]);
  }

  if (isDone)
    return (
      <NarrowPage
        title="Mails stopped"
        introduction={<span role="status">Alerts no longer come by mail. They stay in the app.</span>}
      >
        {alertsLink}
      </NarrowPage>
    );
  return (
    <NarrowPage
      title="Stop alerts by mail"
      introduction="Press the button to get no more alerts by mail. The alerts themselves stay."
    >
      <div className="grid gap-5">
        <FormErrors problems={problems} title="Could not stop the mails" />
        <Button
          variant="primary"
          pending={pending}
          onClick={() => {
            void stop();
          }}
        >
          Stop mails
        </Button>
      </div>
    </NarrowPage>
  );
}
