import { Queries } from '../lib/queries.tsx';
import { Dashboard } from './dashboard.tsx';

/** `/dashboard`: the member's cards. */
export default function DashboardPage() {
  return (
    <Queries>
      <Dashboard />
    </Queries>
  );
}
