import type { ReactNode } from 'react';

// Separate from the layout, whose bars read `navigator` at once. The build renders these parts in Node for the
// prerendered shell.

/** Header of every page. */
export function HeaderBar({ children }: { children: ReactNode }) {
  return (
    <header className="sticky top-0 z-10 border-b border-line bg-page">
      <div className="mx-auto flex h-bar max-w-page items-center gap-2 px-4 sm:gap-3 sm:px-6 lg:gap-6">{children}</div>
    </header>
  );
}

/** Classes of the home link in the header. */
export const headerHomeClass = '-mx-1.5 flex rounded-control px-1.5 py-1';

/** Classes of the main element between header and footer. */
export const mainClass = 'mx-auto w-full max-w-page flex-1 px-4 pb-12 pt-4 sm:px-6 sm:pt-8';
