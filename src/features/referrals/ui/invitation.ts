import { useEffect, useState } from 'react';
import { clearReferral, readStoredReferral, reportSignUp } from './referral.ts';

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
  const [ref] = useState(readStoredReferral);
  const validity = useValidity(ref);
  return {
    ref,
    validity,
    onSignedUp(userId) {
      clearReferral();
      if (ref !== null) reportSignUp(userId, ref);
    },
  };
}

/** Looks the link up, without a session, and forgets one that is nobody's. The form works meanwhile. */
function useValidity(ref: string | null): Validity {
  const [checked, setChecked] = useState<{ ref: string; validity: Validity }>();
  useEffect(() => {
    if (ref === null) return undefined;
    const controller = new AbortController();
    void validateLink(ref, controller.signal).then((validity) => {
      if (controller.signal.aborted) return;
      if (validity === 'invalid') clearReferral();
      setChecked({ ref, validity });
    });
    return () => controller.abort();
  }, [ref]);
  return checked && checked.ref === ref ? checked.validity : 'unknown';
}

async function validateLink(ref: string, abortSignal: AbortSignal): Promise<Validity> {
  try {
    const { status } = await fetch(`/api/referrals/validate-referrer?ref=${encodeURIComponent(ref)}`, {
      signal: AbortSignal.any([abortSignal, AbortSignal.timeout(10_000)]),
    });
    return status === 200 ? 'valid' : status === 404 ? 'invalid' : 'unknown';
  } catch {
    return 'unknown';
  }
}
