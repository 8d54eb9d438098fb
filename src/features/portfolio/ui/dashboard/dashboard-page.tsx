import { useEffect } from 'react';
import { navigate, useSearch } from '../../../../ui/shell/navigation/location.ts';
import { asksForTour, setDemoTour } from '../../../../ui/shell/session/demo-tour.ts';
import { Dashboard, type DashboardProps } from './dashboard.tsx';

/** `/dashboard`: the member's cards. `?tour=1` starts the demo tour, and is taken out of the address. */
export function DashboardPage(props: DashboardProps) {
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
  return <Dashboard {...props} />;
}
