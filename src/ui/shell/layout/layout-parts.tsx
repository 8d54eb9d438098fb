import type { ReactNode } from 'react';

// Apart from the frame, whose bars read `navigator` at once: the build draws a page's first look with these in Node.

/** The bar at the top of every page. */
export function HeaderBar({ children }: { children: ReactNode }) {
  return (
    <header className="sticky top-0 z-10 border-b border-line bg-page">
      <div className="mx-auto flex h-14 max-w-page items-center gap-2 px-4 sm:gap-6 sm:px-6">{children}</div>
    </header>
  );
}

/** The way home at its beginning. */
export const headerHomeClass = '-mx-1.5 flex rounded-control px-1.5 py-1';

/** Where a page stands between header and footer. */
export const mainClass = 'mx-auto w-full max-w-page flex-1 px-4 pb-16 pt-6 sm:px-6 sm:pt-8';
