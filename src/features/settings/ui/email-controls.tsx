import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../../ui/kit/badge.tsx';
import { Button } from '../../../ui/kit/button.tsx';
import { showToast } from '../../../ui/kit/toasts.ts';
import { callFrontendApi } from '../../../ui/shell/session/call-frontend-api.ts';
import { type AccountAddress, accountEmailQuery } from './account-email.ts';
import { ChangeEmailDialog } from './change-email-dialog.tsx';

/** Shows whether the address is confirmed, and the controls that confirm or change it. Requires a mail server. */
export function EmailControls() {
  const { data } = useQuery(accountEmailQuery);
  const [isChanging, setChanging] = useState(false);
  if (!data) return <div className="h-9" />;
  const { current, next } = data;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {current.isVerified ? <Badge>Confirmed</Badge> : <Badge tone="warn">Not confirmed</Badge>}
      {!current.isVerified && <SendLinkButton address={current} />}
      <Button onClick={() => setChanging(true)}>Change email</Button>
      {next && <PendingAddress address={next} />}
      {isChanging && <ChangeEmailDialog onClose={() => setChanging(false)} />}
    </div>
  );
}

/** The new address, with the controls that send its link again or cancel the change. */
function PendingAddress({ address }: { address: AccountAddress }) {
  const queries = useQueryClient();
  const [pending, setPending] = useState(false);

  async function cancel(): Promise<void> {
    setPending(true);
    const result = await callFrontendApi('DELETE', `/v1/me/email_addresses/${encodeURIComponent(address.id)}`);
    setPending(false);
    if (!result.ok) return showToast(result.problems[0]!.message, 'bad');
    await queries.invalidateQueries(accountEmailQuery);
  }

  return (
    <div className="flex w-full flex-wrap items-center gap-x-3 gap-y-1.5">
      <span className="min-w-0 break-words text-small text-ink-soft">
        Open the link sent to {address.email} to change to it.
      </span>
      <SendLinkButton address={address} />
      <Button
        pending={pending}
        onClick={() => {
          void cancel();
        }}
      >
        Cancel change
      </Button>
    </div>
  );
}

function SendLinkButton({ address }: { address: AccountAddress }) {
  const [pending, setPending] = useState(false);

  async function send(): Promise<void> {
    setPending(true);
    const path = `/v1/me/email_addresses/${encodeURIComponent(address.id)}/prepare_verification`;
    const result = await callFrontendApi('POST', path, { strategy: 'email_link' });
    setPending(false);
    if (result.ok) showToast('A link is on its way.');
    else showToast(result.problems[0]!.message, 'bad');
  }

  return (
    <Button
      pending={pending}
      onClick={() => {
        void send();
      }}
    >
      Send link
    </Button>
  );
}
