import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { callApi } from '../lib/api.ts';
import { useDemoAccount } from '../lib/demo-account.ts';
import { declines, noteSwitch } from '../lib/event-storage.ts';
import { notify } from '../lib/notices.ts';
import { useMember } from '../lib/session.ts';
import { Card } from '../ui/card.tsx';
import { Failure } from '../ui/failure.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const CHOICE = ['analytics-choice'] as const;

/** The switch for the captured events of this member; the shared demo account has none. */
export function PrivacySection() {
  const member = useMember();
  const demo = useDemoAccount();
  const notes = useId();
  const queries = useQueryClient();
  const choice = useQuery({
    queryKey: CHOICE,
    queryFn: ({ signal }) => callApi('GET /api/analytics/choice', { signal }),
    enabled: member !== null && demo === null,
  });
  const change = useMutation({
    mutationFn: (enabled: boolean) => callApi('PUT /api/analytics/choice', { body: { enabled } }),
    onSuccess: ({ enabled }) => {
      if (member) noteSwitch(member.userId, enabled);
      queries.setQueryData(CHOICE, { enabled });
      notify(enabled ? 'Usage data is shared.' : 'Usage data is no longer shared.');
    },
    onError: (error) => notify(`Your choice was not saved. ${error.message}`),
  });
  if (!member) return null;
  if (demo)
    return (
      <Card title="Privacy">
        <p className="text-small text-ink-faint">What is done in the shared demo account is not sent to anyone.</p>
      </Card>
    );
  return (
    <Card title="Privacy">
      {choice.isPending && <Skeleton lines={2} label="Loading your choice" />}
      {choice.isError && <Failure error={choice.error} retry={() => void choice.refetch()} />}
      {choice.data && (
        <label className="flex w-fit items-center gap-2.5 py-1.5 font-medium">
          <input
            type="checkbox"
            role="switch"
            className="size-4"
            aria-describedby={notes}
            checked={change.isPending ? change.variables : choice.data.enabled}
            onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
          />
          Share how I use Tally
        </label>
      )}
      <p id={notes} className="mt-1 max-w-prose text-small text-ink-faint">
        Which parts of Tally you use, never what you own or type. It takes effect at once, in every browser.
        {declines() && ' This browser asks sites not to follow you, so nothing is shared from it either way.'}
      </p>
    </Card>
  );
}
