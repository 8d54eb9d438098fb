import { useEffect } from 'react';
import { navigate, useSearchParams } from '../../../../ui/shell/navigation/location.ts';
import { isTourRequested, setDemoTour } from '../../../../ui/shell/session/demo-tour.ts';
import { Dashboard, type DashboardProps } from './dashboard.tsx';

/** Shows `/dashboard`: the member's cards. `?tour=1` starts the demo tour and is removed from the address. */
export function DashboardPage(props: DashboardProps) {
  const search = useSearchParams();
  const startsTour = isTourRequested(search);
  useEffect(() => {
    if (!startsTour) return;
    setDemoTour(true);
    search.delete('tour');
    const remainingQuery = search.toString();
    navigate(window.location.pathname + (remainingQuery && `?${remainingQuery}`), { replace: true, keepScroll: true });
    // oxlint-disable-next-line react/exhaustive-deps
  }, [startsTour]);
  return <Dashboard {...props} />;
}
