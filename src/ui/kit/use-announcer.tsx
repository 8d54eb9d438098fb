import { type ReactNode, useState } from 'react';

/** Returns a live region and a function that announces a text in it. Render the region inside an open dialog. */
export function useAnnouncer(): { announce: (text: string) => void; liveRegion: ReactNode } {
  const [announcement, announce] = useState('');
  const liveRegion = (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  );
  return { announce, liveRegion };
}
