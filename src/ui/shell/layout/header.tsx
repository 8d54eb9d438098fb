import { useRef } from 'react';
import { useLocation } from '../navigation/location.ts';
import type { Member } from '../session/session-state.ts';
import { useMember, useSession } from '../session/session.ts';
import { useIsSampleUser } from '../session/sample-user.ts';
import { signOut } from '../session/sign-out.ts';
import { useSignUpMode } from '../session/sign-up-mode.ts';
import { getButtonClass } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Link } from '../navigation/link.tsx';
import { Logo } from './logo.tsx';
import { ThemeChoice } from '../theme/theme-choice.tsx';
import { SearchLauncher } from '../navigation/search-launcher.tsx';
import { useNavigationClass, useNavigationEntries } from '../navigation/watchlist-offer.ts';
import { lazyComponent, LazyComponent } from '../loading/lazy-component.tsx';
import { HeaderBar, headerHomeClass } from './layout-parts.tsx';

const lazyAlertBell = lazyComponent('The alerts', () => import('./alert-bell.tsx'));

/** Header with the home link, the member's destinations, the search and the account menu. */
export function Header() {
  const member = useMember();
  return (
    <HeaderBar>
      <Link href={member ? '/dashboard' : '/'} aria-label="Tally, home" className={headerHomeClass}>
        <Logo />
      </Link>
      {member ? (
        <>
          <MemberLinks />
          <SearchLauncher />
          <LazyComponent
            key={member.userId}
            component={lazyAlertBell}
            props={{}}
            fallback={<span className="size-9 shrink-0" />}
          />
          <AccountPanel member={member} />
        </>
      ) : (
        <>
          <nav aria-label="Pages" className="hidden sm:flex">
            <DevelopersLink />
          </nav>
          <VisitorLinks />
        </>
      )}
    </HeaderBar>
  );
}

/** Member's destinations. A phone has them in the tab bar. */
function MemberLinks() {
  const entries = useNavigationEntries();
  const visibility = useNavigationClass();
  return (
    <div className="flex flex-1">
      <nav aria-label="Pages" className={`hidden gap-0.5 sm:flex ${visibility}`}>
        {entries.map(({ label, href, panel }) => (
          <Link key={label} href={href} panel={panel} className="nav-link">
            {label}
          </Link>
        ))}
        <span className="hidden lg:flex">
          <DevelopersLink />
        </span>
      </nav>
    </div>
  );
}

/** Link to the developers' pages. The account menu and the visitors' footer lead there where it has no room. */
const DevelopersLink = () => (
  <Link href="/developers" isSection className="nav-link">
    Developers
  </Link>
);

/** Keeps the query, such as `?next=`, when a visitor switches between the pages. */
function VisitorLinks() {
  const { path, search } = useLocation();
  const { status } = useSession();
  const offersSignUp = useSignUpMode() === 'open' && path !== '/sign-up';
  const offersSignIn = path !== '/sign-in';
  // No links are shown until the session is known, because they may be the wrong ones.
  if (status === 'loading' || !(offersSignUp || offersSignIn)) return <span className="flex-1" />;
  return (
    <nav aria-label="Account" className="flex flex-1 items-center justify-end gap-2">
      {offersSignIn && (
        <Link href={`/sign-in${search}`} className={getButtonClass('quiet')}>
          Sign in
        </Link>
      )}
      {offersSignUp && (
        <Link href={`/sign-up${search}`} className={getButtonClass('primary')}>
          Create account
        </Link>
      )}
    </nav>
  );
}

/** Account button with its popover. The browser closes the popover on Escape and on an outside click. */
function AccountPanel({ member }: { member: Member }) {
  const panel = useRef<HTMLDivElement>(null);
  const close = (): void => panel.current?.hidePopover();
  const isSample = useIsSampleUser();
  return (
    <div>
      <button
        type="button"
        popoverTarget="account-panel"
        aria-label={`Account of ${member.email}`}
        className={
          'grid size-9 place-items-center rounded-full border border-line bg-surface text-ink-soft ' +
          'hover:border-line-strong hover:text-ink'
        }
      >
        <Icon name="person" />
      </button>
      <div ref={panel} id="account-panel" popover="auto" className="panel" role="group" aria-label="Account">
        <p className="px-3 pt-2 text-small text-ink-faint">Signed in as</p>
        <p className="truncate px-3 pb-3 font-medium" title={member.email}>
          {member.email}
        </p>
        <div className="border-y border-line px-3 py-3">
          <ThemeChoice name="panel-theme" showLegend />
        </div>
        <div className="pt-2">
          <Link href="/settings" className="panel-row" onClick={close}>
            Settings
          </Link>
          {!isSample && (
            <Link href="/plans" className="panel-row" onClick={close}>
              Plans
            </Link>
          )}
          <Link href="/developers" className="panel-row" onClick={close}>
            Developers
          </Link>
          <button
            type="button"
            className="panel-row"
            onClick={() => {
              void signOut();
            }}
          >
            Sign out
          </button>
        </div>
      </div>
    </div>
  );
}
