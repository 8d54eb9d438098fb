import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { LegalLine } from '../../../ui/shell/layout/legal-links.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import { settingsPages } from './settings-pages.ts';

/** Shows the settings heading and the navigation between the settings pages. */
export function SettingsLayout({ title, children }: { title: string; children: ReactNode }) {
  const links = useRef<HTMLDivElement>(null);
  // On a phone the links are in one row that scrolls.
  useLayoutEffect(() => {
    const row = links.current;
    const current = row?.querySelector<HTMLElement>('[aria-current]');
    if (row && current) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
  }, []);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-x-8">
      <h1 className="text-title font-semibold tracking-tight lg:col-span-2">{title}</h1>
      <nav aria-label="Settings" className="border-b border-line lg:border-b-0">
        <div
          ref={links}
          className={
            // The padding keeps outlines and the line below the current link inside of what scrolls.
            'relative -mx-2 flex gap-x-0.5 overflow-x-auto px-2 pt-1 pb-2 whitespace-nowrap lg:sticky lg:top-20 ' +
            'lg:flex-col lg:gap-y-0.5 lg:overflow-visible lg:p-0'
          }
        >
          {settingsPages.map(({ href, label }) => (
            <Link
              key={href}
              href={href}
              className="nav-link lg:aria-[current]:bg-sunken lg:aria-[current]:font-semibold lg:after:hidden"
            >
              {label}
            </Link>
          ))}
        </div>
      </nav>
      {/* What follows a part that loads would move, so it is drawn afterwards. The classes limit the elements whose
          insertion makes a browser check their siblings, on every page. */}
      <div
        className={
          'grid max-w-settings grid-cols-[minmax(0,1fr)] content-start gap-5 ' +
          '[&>[data-loading]~*]:invisible [&>.card:has(.skeleton)~*]:invisible [&>.cards:has(.skeleton)~*]:invisible'
        }
      >
        {children}
        <LegalLine />
      </div>
    </div>
  );
}
