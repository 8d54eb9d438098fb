import { useMember, useSession } from '../lib/session.ts';
import { usePlace } from '../lib/location.ts';
import { buttonClass } from '../ui/button.tsx';
import { Link } from '../ui/link.tsx';
import { Logo } from '../ui/logo.tsx';
import { AccountPanel } from './account-panel.tsx';
import { HeaderBar, headerHome } from './frame-parts.tsx';

/** The bar at the top: the way home, the member's pages, the account. */
export function Header() {
  const member = useMember();
  return (
    <HeaderBar>
      <Link href={member ? '/dashboard' : '/'} aria-label="Tally, home" className={headerHome}>
        <Logo />
      </Link>
      {member ? (
        <>
          <nav aria-label="Pages" className="flex flex-1 gap-0.5">
            <Link href="/dashboard" className="nav-link">
              Dashboard
            </Link>
            <Link href="/settings" section className="nav-link">
              Settings
            </Link>
          </nav>
          <AccountPanel member={member} />
        </>
      ) : (
        <VisitorLinks />
      )}
    </HeaderBar>
  );
}

/** Keeps `?ref=` and `?next=` while a visitor goes back and forth between the pages. */
function VisitorLinks() {
  const { path, search } = usePlace();
  const { status } = useSession();
  // Until the session is known, no links are shown that may be the wrong ones.
  if (status === 'loading') return <span className="flex-1" />;
  return (
    <nav aria-label="Account" className="flex flex-1 items-center justify-end gap-2">
      {path !== '/sign-in' && (
        <Link href={`/sign-in${search}`} className={buttonClass('quiet')}>
          Sign in
        </Link>
      )}
      {path !== '/sign-up' && (
        <Link href={`/sign-up${search}`} className={buttonClass('primary')}>
          Create account
        </Link>
      )}
    </nav>
  );
}
