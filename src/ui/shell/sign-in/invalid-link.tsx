import type { ReactNode } from 'react';
import { NarrowPage } from './narrow-page.tsx';

/** Page of a one-time link that opens nothing. The children lead to a new one. */
export const InvalidLink = ({ children }: { children: ReactNode }) => (
  <NarrowPage
    title="Link not valid"
    introduction={
      <span role="status">It has expired, was used before, or was not copied whole. A link works once.</span>
    }
  >
    {children}
  </NarrowPage>
);
