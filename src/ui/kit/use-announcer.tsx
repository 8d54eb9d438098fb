import { type ReactNode, useState } from 'react';

/** A live region, to be rendered where it is inside of an open dialog, and what has a screen reader read a text. */
export function useAnnouncer(): { announce: (text: string) => void; liveRegion: ReactNode } {
  const [announcement, announce] = useState('');
  const liveRegion = (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  );
  return { announce, liveRegion };
}
