import { VisitorPlans } from '../../../features/billing/ui/visitor-plans.tsx';
import { LandingPage } from '../../../features/site/ui/landing-page.tsx';
import { LiveCount } from '../../../features/token-api/ui/live-count.tsx';

/** Renders `/` for visitors, with the plans and the token counter. */
export default function LandingRoute() {
  return <LandingPage plans={<VisitorPlans />} counter={<LiveCount />} />;
}
