import { DashboardSkeleton } from '../../../features/portfolio/dashboard/ui/dashboard-skeleton.tsx';
import { LandingIntro } from '../../../features/site/ui/landing-intro.tsx';
import { HeaderBar, headerHomeClass, mainClass } from '../layout/layout-parts.tsx';
import { dashboardCards } from './dashboard-cards.ts';
import type { RoutePath } from '../route-paths.ts';
import { Logo } from '../layout/logo.tsx';

/** Content of a page's document until its scripts are loaded, with final positions. The build renders it. */
export function PrerenderedShell({ path }: { path: RoutePath }) {
  return (
    <div aria-hidden="true" inert>
      <HeaderBar>
        <span className={headerHomeClass}>
          <Logo />
        </span>
      </HeaderBar>
      {path === '/' && (
        // A member is led to Home.
        <div className={`${mainClass} in-data-member:hidden`}>
          <LandingIntro actions={null} picture={<div className="card h-125.5 shadow-raised max-lg:hidden" />} />
        </div>
      )}
      {path === '/dashboard' && (
        <div className={mainClass}>
          <div className="mb-5 flex flex-wrap items-center gap-x-0.5 gap-y-1.5 sm:mb-6 sm:gap-x-2">
            <p className="flex-1 text-title font-semibold tracking-tight">Home</p>
            <span className="h-9" />
          </div>
          <DashboardSkeleton cards={dashboardCards} />
        </div>
      )}
    </div>
  );
}
