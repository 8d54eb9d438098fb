import type { ReactNode } from 'react';

/** Group of samples of one component or token. */
export const Samples = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="gallery-section">
    <h2 className="text-lead font-semibold tracking-tight">{title}</h2>
    {children}
  </div>
);

/** One state of a component with its name. */
export const Sample = ({ state, children }: { state: string; children: ReactNode }) => (
  <div className="gallery-state">
    <p className="text-micro text-ink-faint">{state}</p>
    {children}
  </div>
);

export const LONG_TEXT =
  'A name that nobody shortened, such as the Vanguard Total International Stock Index Fund Admiral Shares';
