import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { Card } from '../../../ui/kit/card.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { ReferralLinkCard } from './referral-link-card.tsx';
import { ReferralFigures } from './referral-figures.tsx';

/** Texts by error code for accounts that may not invite. */
const rejectionMessages: Readonly<Record<string, string>> = {
  DEMO_ACCOUNT: 'The shared demo account has no link. Create your own account to invite friends.',
  DEMO_MODE: 'The sample portfolio is read-only, so it has no link.',
};

/** Shows the page with the member's link and its results. An account that may not invite sees the reason. */
export function InviteFriends() {
  const link = useQuery({
    queryKey: ['referrals', 'link'],
    queryFn: ({ signal }) => callApi('GET /api/referrals/get-link', { signal }),
    // The link never changes, so one read per page is enough.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const rejection = link.error instanceof ApiError ? rejectionMessages[link.error.code] : undefined;
  if (rejection)
    return (
      <Card title="Your link">
        <p role="note" className="max-w-prose rounded-control bg-sunken px-4 py-3 text-ink-soft">
          {rejection}
        </p>
      </Card>
    );
  return (
    <>
      <Card title="Your link">
        {link.isPending && <Skeleton lines={5} label="Loading your link and referrals" />}
        {link.isError && (
          <ErrorMessage
            error={link.error}
            retry={() => {
              void link.refetch();
            }}
          />
        )}
        {link.data && <ReferralLinkCard url={link.data.url} />}
      </Card>
      <ReferralFigures isAlone={!link.isPending} />
    </>
  );
}
