import type { ReactNode } from 'react';

/** A page elsewhere that a tool has named. It opens in a tab of its own and learns nothing of this one. */
export const SafeLink = ({ url, children }: { url: string; children: ReactNode }) =>
  /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noopener noreferrer" className="link break-words">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  ) : (
    children
  );
