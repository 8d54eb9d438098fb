import { useEffect, useRef, useState } from 'react';
import { lazyComponent, LazyComponent } from '../../../ui/shell/loading/lazy-component.tsx';

const lazyField = lazyComponent('The token counter', () => import('./live-count-field.tsx'));

/** Counts the tokens of a typed message in the browser. The counter loads when this part comes into view. */
export function LiveCount() {
  const place = useRef<HTMLDivElement>(null);
  const [wasSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className="card min-h-56 p-4 sm:p-5">
      {wasSeen && <LazyComponent component={lazyField} props={{}} />}
    </div>
  );
}
