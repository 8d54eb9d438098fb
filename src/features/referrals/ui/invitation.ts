import { useEffect, useState } from 'react';
import { forgetReferral, rememberedReferral, reportSignUp } from './referral.ts';

/** Whether a referral link is a member's; `unknown` while it is looked up, and where that did not work. */
type Validity = 'unknown' | 'valid' | 'invalid';

interface Invitation {
  /** The link that this browser remembers; null without one. */
  ref: string | null;
  validity: Validity;
  onSignedUp: (userId: string) => void;
}

/** The link that somebody came by, for the page that makes their account. */
export function useInvitation(): Invitation {
  const [ref] = useState(rememberedReferral);
  const validity = useValidity(ref);
  return {
    ref,
    validity,
    onSignedUp(userId) {
      forgetReferral();
      if (ref !== null) reportSignUp(userId, ref);
    },
  };
}

/** Looks the link up, without a session, and forgets one that is nobody's. The form works meanwhile. */
function useValidity(ref: string | null): Validity {
  const [known, setKnown] = useState<{ ref: string; validity: Validity }>();
  useEffect(() => {
    if (ref === null) return undefined;
    const left = new AbortController();
    void lookUp(ref, left.signal).then((validity) => {
      if (left.signal.aborted) return;
      if (validity === 'invalid') forgetReferral();
      setKnown({ ref, validity });
    });
    return () => left.abort();
  }, [ref]);
  return known && known.ref === ref ? known.validity : 'unknown';
}

async function lookUp(ref: string, left: AbortSignal): Promise<Validity> {
  try {
    const { status } = await fetch(`/api/referrals/validate-referrer?ref=${encodeURIComponent(ref)}`, {
      signal: AbortSignal.any([left, AbortSignal.timeout(10_000)]),
    });
    return status === 200 ? 'valid' : status === 404 ? 'invalid' : 'unknown';
  } catch {
    return 'unknown';
  }
}
