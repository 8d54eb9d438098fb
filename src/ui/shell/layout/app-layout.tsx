import type { ReactNode } from 'react';
import { Link } from '../navigation/link.tsx';
import { useLocation } from '../navigation/location.ts';
import { TabBar } from '../navigation/tab-bar.tsx';
import { useMember } from '../session/session.ts';
import { Toaster } from '../../kit/toaster.tsx';
import { ThemeChoice } from '../theme/theme-choice.tsx';
import { DemoBar, OfflineBar, SampleBar, TourBar } from './bars.tsx';
import { mainClass } from './layout-parts.tsx';
import { Header } from './header.tsx';
import { LegalLinks } from './legal-links.tsx';

/** Layout of every page: skip link, header, main, footer, the member's tab bar on phones, toasts. */
export function AppLayout({ children }: { children: ReactNode }) {
  const isMember = useMember() !== null;
  return (
    <div
      className={
        'flex min-h-dvh flex-col has-data-loading:[&>footer]:invisible ' +
        (isMember
          ? 'max-sm:pb-bar max-sm:[--toasts-bottom:4.5rem]'
          : '[--toasts-bottom:9.5rem] sm:[--toasts-bottom:5rem]')
      }
    >
      <a
        href="#main"
        className={
          'fixed start-2 top-2 z-30 -translate-y-[200%] rounded-control bg-accent px-4 py-2 font-semibold ' +
          'text-on-accent focus:translate-none'
        }
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to content
      </a>
      <Header />
      <div className="sticky top-bar z-10">
        <OfflineBar />
        <TourBar />
      </div>
      <DemoBar />
      <SampleBar />
      <main id="main" tabIndex={-1} className={mainClass}>
        {children}
      </main>
      <Footer />
      {isMember && <TabBar />}
      <Toaster />
    </div>
  );
}

/** Footer of visitors' pages with the theme choice, and footer of the page on which a member counts. */
function Footer() {
  const member = useMember();
  const { path } = useLocation();
  const text = getFooterText(path);
  if (member && path !== '/settings/api-keys') return null;
  return (
    <footer className="border-t border-line">
      <div
        className={
          'mx-auto flex max-w-page flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 ' +
          'py-5 text-small text-ink-faint sm:px-6'
        }
      >
        <p>{text}</p>
        {!member && (
          <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
            <Link href="/developers" className="link">
              Developers
            </Link>
            <LegalLinks />
            <ThemeChoice name="footer-theme" />
          </div>
        )}
      </div>
    </footer>
  );
}

/** Returns where a developers' page counts. Other pages count nothing. */
function getFooterText(path: string): string | null {
  if (path === '/developers/playground') return 'The playground counts in your browser and sends nothing.';
  return path === '/developers' || path === '/settings/api-keys'
    ? 'Requests to the API are counted on this server and not stored.'
    : null;
}
