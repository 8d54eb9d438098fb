import { Queries } from '../lib/queries.tsx';
import { preloadCards } from './card-screens.ts';
import { Dashboard } from './dashboard.tsx';

preloadCards();

/** `/dashboard`: the member's cards. */
export default function DashboardPage() {
  return (
    <Queries>
      <Dashboard />
    </Queries>
  );
}
