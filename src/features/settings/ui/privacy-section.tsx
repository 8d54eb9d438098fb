import { useEffect, useId, useState } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { hasDoNotTrack, storeConsent } from '../../../ui/shell/events/consent.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { useMember } from '../../../ui/shell/session/session.ts';
import { Card } from '../../../ui/kit/card.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';

/** Shows the switch for event capture of this member. The shared demo account has no switch. */
export function PrivacySection() {
  const member = useMember();
  const demoAccount = useDemoAccount();
  if (!member) return null;
  return (
    <Card title="Privacy">
      {demoAccount ? (
        <p className="text-small text-ink-faint">Usage data of the demo account is never shared.</p>
      ) : (
        <AnalyticsSwitch member={member.userId} />
      )}
    </Card>
  );
}

function AnalyticsSwitch({ member }: { member: string }) {
  const noteId = useId();
  const [choice, setChoice] = useState<{ enabled: boolean } | { error: Error } | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [loadAttempt, setLoadAttempt] = useState(1);
  useEffect(() => {
    if (loadAttempt > 0) callApi('GET /api/analytics/choice').then(setChoice, (error: Error) => setChoice({ error }));
  }, [loadAttempt]);

  function retry(): void {
    setChoice(null);
    setLoadAttempt(loadAttempt + 1);
  }

  async function choose(enabled: boolean): Promise<void> {
    if (isSaving) return;
    setSaving(true);
    try {
      setChoice(await callApi('PUT /api/analytics/choice', { body: { enabled } }));
      storeConsent(member, enabled);
      showToast(enabled ? 'Usage data is shared.' : 'Usage data is no longer shared.');
    } catch (error) {
      showToast(`Could not save your choice. ${(error as Error).message}`);
    }
    setSaving(false);
  }

  if (!choice) return <Skeleton lines={2} label="Loading your choice" />;
  if ('error' in choice) return <ErrorMessage error={choice.error} retry={retry} />;
  return (
    <>
      <label className="flex w-fit items-center gap-2 py-1.5 font-medium">
        <input
          type="checkbox"
          role="switch"
          className="size-4"
          aria-describedby={noteId}
          checked={choice.enabled}
          aria-checked={choice.enabled}
          onChange={({ currentTarget }) => {
            void choose(currentTarget.checked);
          }}
        />
        Share how I use Tally
      </label>
      <p id={noteId} className="mt-1 max-w-prose text-small text-ink-faint">
        Which parts of Tally you use, never what you own or type. It takes effect immediately, in every browser.
        {hasDoNotTrack() && ' Your browser sends a “do not track” signal, so nothing is shared from it.'}
      </p>
    </>
  );
}
