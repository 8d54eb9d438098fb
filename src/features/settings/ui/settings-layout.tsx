import type { ReactNode } from 'react';
import { Link } from '../../../ui/shell/navigation/link.tsx';

const settingsPages = [
  { href: '/settings', label: 'Account' },
  { href: '/settings/connections', label: 'Connections' },
  { href: '/settings/billing', label: 'Billing' },
  { href: '/settings/api-keys', label: 'API keys' },
  { href: '/settings/assistant', label: 'Assistant' },
  { href: '/settings/invite', label: 'Invite friends' },
] as const;

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
    </div>
  );
}
