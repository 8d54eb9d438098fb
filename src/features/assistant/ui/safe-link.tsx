import type { ReactNode } from 'react';

/** Links to an external page named by a tool. The link opens a new tab without opener or referrer. */
export const SafeLink = ({ url, children }: { url: string; children: ReactNode }) =>
  /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noopener noreferrer" className="link break-words">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  ) : (
    children
  );
