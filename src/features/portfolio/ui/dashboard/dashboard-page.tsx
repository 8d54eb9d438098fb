import { useEffect } from 'react';
import { asksForTour, setDemoTour } from '../../../../ui/shell/session/demo-tour.ts';
import { navigate, useSearch } from '../../../../ui/shell/navigation/location.ts';
import { Queries, whenSignedIn } from '../../../../ui/shell/api/queries.tsx';
import { Dashboard } from './dashboard.tsx';
import { readDashboard } from './layout-query.ts';

// What the cards show travels while the page is drawn for the first time.
whenSignedIn(readDashboard);

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
