import { Link } from '../navigation/link.tsx';

/** Links to the pages that the operator can fill. */
export const LegalLinks = () => (
  <>
    <Link href="/privacy" className="link">
      Privacy
    </Link>
    <Link href="/terms" className="link">
      Terms
    </Link>
  </>
);

/** The links at the end of a member's page, which has no footer. */
export const LegalLine = () => (
  <p className="flex gap-x-6 text-small text-ink-faint">
    <LegalLinks />
  </p>
);
