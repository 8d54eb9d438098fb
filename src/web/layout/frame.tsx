import type { ReactNode } from 'react';
import { Notices } from '../ui/notices.tsx';
import { DemoBar, OfflineBar, TourBar } from './bars.tsx';
import { Footer } from './footer.tsx';
import { mainClass } from './frame-parts.tsx';
import { Header } from './header.tsx';

/** What surrounds every page: skip link, header, main, footer, notices. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col has-data-waiting:[&>footer]:invisible">
      <a
        href="#main"
        className="skip-link"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to content
      </a>
      <Header />
      <div className="sticky top-14 z-10">
        <OfflineBar />
        <TourBar />
      </div>
      <DemoBar />
      <main id="main" tabIndex={-1} className={mainClass}>
        {children}
      </main>
      <Footer />
      <Notices />
    </div>
  );
}
