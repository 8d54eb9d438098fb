import { useEffect, useState } from 'react';
import { clearReferral, readStoredReferral, reportSignUp } from './referral.ts';

/** Validity of a referral link. `unknown` during the look-up and after a failed one. */
type Validity = 'unknown' | 'valid' | 'invalid';

interface Invitation {
  /** Stored link of this browser, or null. */
  ref: string | null;
  validity: Validity;
  onSignedUp: (userId: string) => void;
}

/** Returns the referral link of this visit, for the sign-up page. */
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

/** Looks the link up without a session and deletes an invalid one. The form is usable during the look-up. */
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
    if (status === 200) return 'valid';
    return status === 404 ? 'invalid' : 'unknown';
  } catch {
    return 'unknown';
  }
}
