import type { ReactNode } from 'react';
import { LegalLine } from '../../../ui/shell/layout/legal-links.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import { settingsPages } from './settings-pages.ts';

/** Shows the settings heading and the navigation between the settings pages. */
export function SettingsLayout({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto grid max-w-settings gap-5">
      <h1 className="text-title font-semibold tracking-tight">{title}</h1>
      <nav aria-label="Settings" className="border-b border-line pb-2">
        <div className="-ms-2.5 flex flex-wrap gap-x-0.5 gap-y-1.5">
          {settingsPages.map(({ href, label }) => (
            <Link key={href} href={href} className="nav-link">
              {label}
            </Link>
          ))}
        </div>
      </nav>
      {children}
      <LegalLine />
    </div>
  );
}
