import { useEffect } from 'react';
import { Badge } from '../../kit/badge.tsx';
import { createStore } from '../../kit/store.ts';
import { useStore } from '../../kit/use-store.ts';

/** Number of badges in the page below panels. */
const pageBadges = createStore(0);

const LABEL = (
  <Badge tone="warn">
    Sample<span className="whitespace-pre max-[24rem]:sr-only"> data</span>
  </Badge>
);

/** Marks a page as containing simulated figures. */
export function SampleBadge() {
  useEffect(() => {
    pageBadges.set(pageBadges.get() + 1);
    return () => pageBadges.set(pageBadges.get() - 1);
  }, []);
  return LABEL;
}

/** Marks a panel as containing simulated figures, unless the page beside it says so. On a phone a panel hides the page. */
export function PanelSampleBadge() {
  const isMarkedPage = useStore(pageBadges) > 0;
  return <span className={isMarkedPage ? 'flex sm:hidden' : 'flex'}>{LABEL}</span>;
}
