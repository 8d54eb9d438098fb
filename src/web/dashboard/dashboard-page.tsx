import { useEffect } from 'react';
import { asksForTour, setDemoTour } from '../lib/demo-tour.ts';
import { navigate, useSearch } from '../lib/location.ts';
import { Queries } from '../lib/queries.tsx';
import { preloadCards } from './card-screens.ts';
import { Dashboard } from './dashboard.tsx';

preloadCards();

/** `/dashboard`: the member's cards. `?tour=1` starts the demo tour, and is taken out of the address. */
export default function DashboardPage() {
  const search = useSearch();
  const asked = asksForTour(search);
  useEffect(() => {
    if (!asked) return;
    setDemoTour(true);
    search.delete('tour');
    const rest = search.toString();
    navigate(window.location.pathname + (rest && `?${rest}`), { replace: true, keepScroll: true });
    // oxlint-disable-next-line react/exhaustive-deps
  }, [asked]);
  return (
    <Queries>
      <Dashboard />
    </Queries>
  );
}
