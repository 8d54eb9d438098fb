import { ApiError } from '../../web/lib/call-api.ts';
import { Card } from '../../web/ui/card.tsx';
import { Failure } from '../../web/ui/failure.tsx';
import { Skeleton } from '../../web/ui/skeleton.tsx';
import { OwnLink } from './own-link.tsx';
import { ReferralFigures } from './referral-figures.tsx';
import { useReferralLink } from './referral-queries.ts';

/** The page of the link: the link itself, then what came of it. An account that may not invite hears why. */
export function InviteFriends() {
  const link = useReferralLink();
  const refusal = refusalOf(link.error);
  if (refusal)
    return (
      <Card title="Your link">
        <p role="note" className="max-w-prose rounded-control bg-sunken px-4 py-3 text-ink-soft">
          {refusal}
        </p>
      </Card>
    );
  return (
    <>
      <Card title="Your link">
        {link.isPending && <Skeleton lines={5} label="Loading your link and what came of it" />}
        {link.isError && <Failure error={link.error} retry={() => void link.refetch()} />}
        {link.data && <OwnLink url={link.data.url} />}
      </Card>
      <ReferralFigures isAlone={!link.isPending} />
    </>
  );
}

function refusalOf(error: Error | null): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'DEMO_ACCOUNT')
    return 'The demo account is shared, so it has no link. With an account of your own you can invite friends.';
  if (error.code === 'DEMO_MODE') return 'The sample portfolio is read-only, so it has no link.';
  return undefined;
}
