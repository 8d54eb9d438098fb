import { useEffect, useState } from 'react';

/** Whether a referral link is a member's; `unknown` while it is looked up, and where that did not work. */
type Invitation = 'unknown' | 'valid' | 'invalid';

/** Looks the link of the address up, without a session. Nothing waits for it: the form works meanwhile. */
export function useInvitation(ref: string | null): Invitation {
  const [known, setKnown] = useState<{ ref: string; invitation: Invitation }>();
  useEffect(() => {
    if (ref === null) return undefined;
    const left = new AbortController();
    void lookUp(ref, left.signal).then((invitation) => !left.signal.aborted && setKnown({ ref, invitation }));
    return () => left.abort();
  }, [ref]);
  return known && known.ref === ref ? known.invitation : 'unknown';
}

async function lookUp(ref: string, left: AbortSignal): Promise<Invitation> {
  try {
    const { status } = await fetch(`/api/referrals/validate-referrer?ref=${encodeURIComponent(ref)}`, {
      signal: AbortSignal.any([left, AbortSignal.timeout(10_000)]),
    });
    return status === 200 ? 'valid' : status === 404 ? 'invalid' : 'unknown';
  } catch {
    return 'unknown';
  }
}
