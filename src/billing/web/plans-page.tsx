import { Queries } from '../../web/lib/queries.tsx';
import { Plans } from './plans.tsx';

/** `/plans?entry=`: what each plan allows, which is the member's, and what there is to do. */
export default function PlansPage() {
  return (
    <div className="mx-auto grid max-w-settings gap-6">
      <Queries>
        <Plans />
      </Queries>
    </div>
  );
}
