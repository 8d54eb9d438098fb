import { VisitorPlans } from '../../../features/billing/ui/visitor-plans.tsx';
import { LandingPage } from '../../../features/site/ui/landing-page.tsx';

/** Renders `/` for visitors, with the plans. */
export default function LandingRoute() {
  return <LandingPage plans={<VisitorPlans />} />;
}
