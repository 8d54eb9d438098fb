import { useEffect, useId, useState } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { declinesTracking, storeSwitch } from '../../../ui/shell/events/consent.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { useMember } from '../../../ui/shell/session/session.ts';
import { Card } from '../../../ui/kit/card.tsx';
import { Failure } from '../../../ui/kit/failure.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';

/** The switch for the captured events of this member; the shared demo account has none. */
export function PrivacySection() {
  const member = useMember();
  const demo = useDemoAccount();
  if (!member) return null;
  return (
    <Card title="Privacy">
      {demo ? (
        <p className="text-small text-ink-faint">What is done in the shared demo account is not sent to anyone.</p>
      ) : (
        <Switch member={member.userId} />
      )}
    </Card>
  );
}

function Switch({ member }: { member: string }) {
  const notes = useId();
  const [choice, setChoice] = useState<{ enabled: boolean } | { error: Error } | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [tries, setTries] = useState(1);
  useEffect(() => {
    if (tries > 0) callApi('GET /api/analytics/choice').then(setChoice, (error: Error) => setChoice({ error }));
  }, [tries]);

  function again(): void {
    setChoice(null);
    setTries(tries + 1);
  }

  async function choose(enabled: boolean): Promise<void> {
    if (isSaving) return;
    setSaving(true);
    try {
      setChoice(await callApi('PUT /api/analytics/choice', { body: { enabled } }));
      storeSwitch(member, enabled);
      showToast(enabled ? 'Usage data is shared.' : 'Usage data is no longer shared.');
    } catch (error) {
      showToast(`Your choice was not saved. ${(error as Error).message}`);
    }
    setSaving(false);
  }

  if (!choice) return <Skeleton lines={2} label="Loading your choice" />;
  if ('error' in choice) return <Failure error={choice.error} retry={again} />;
  return (
    <>
      <label className="flex w-fit items-center gap-2.5 py-1.5 font-medium">
        <input
          type="checkbox"
          role="switch"
          className="size-4"
          aria-describedby={notes}
          checked={choice.enabled}
          aria-checked={choice.enabled}
          onChange={({ currentTarget }) => void choose(currentTarget.checked)}
        />
        Share how I use Tally
      </label>
      <p id={notes} className="mt-1 max-w-prose text-small text-ink-faint">
        Which parts of Tally you use, never what you own or type. It takes effect at once, in every browser.
        {declinesTracking() && ' This browser asks sites not to follow you, so nothing is shared from it either way.'}
      </p>
    </>
  );
}
