import { useEffect, useEffectEvent } from 'react';
import { hasSharedRequest, type ReadLink, readLink } from './fragment-link.ts';

/** Reads the request in the fragment of the page's URL, once and after each change of the fragment. */
export function useOpenedLink(onRead: (link: ReadLink) => void): void {
  const report = useEffectEvent(onRead);
  useEffect(() => {
    const read = async (): Promise<void> => {
      if (hasSharedRequest(window.location.hash)) report(await readLink(window.location.hash));
    };
    const onHashChange = (): void => {
      void read();
    };
    onHashChange();
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);
}
