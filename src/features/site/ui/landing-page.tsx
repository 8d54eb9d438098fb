import type { ReactNode } from 'react';
import { useLocation } from '../../../ui/shell/navigation/location.ts';
import { getButtonClass } from '../../../ui/kit/button.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import { closedSignUpTexts, useSignUpMode } from '../../../ui/shell/session/sign-up-mode.ts';
import { DashboardPicture } from './dashboard-picture.tsx';
import { SampleButton } from './sample-button.tsx';

/** Shows what the product is for, its picture, plans, security and privacy, and leads to an account or the sample. */
export function LandingPage({ plans }: { plans: ReactNode }) {
  const { search } = useLocation();
  const signUpMode = useSignUpMode();
  return (
    <>
      <div className="max-w-settings pt-2 pb-8 sm:pt-6">
        <h1 className="text-display font-semibold tracking-display">Your whole portfolio in one place</h1>
        <p className="mt-5 max-w-prose text-lead text-ink-soft">
          For private investors: net worth, holdings and a watchlist on one dashboard, from connected accounts or added
          by hand. Free to use.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          {signUpMode === 'open' ? (
            <Link href={`/sign-up${search}`} className={getButtonClass('primary', 'min-h-11 px-5')}>
              Create account
            </Link>
          ) : (
            <p className="flex min-h-11 items-center">{closedSignUpTexts[signUpMode]}</p>
          )}
          <SampleButton />
        </div>
      </div>
      <DashboardPicture />
      <div className="mt-12 grid gap-12">
        <section aria-labelledby="plans" className="grid gap-5">
          <h2 id="plans" className="text-title font-semibold tracking-tight">
            Plans
          </h2>
          {plans}
        </section>
        <div className="grid gap-8 border-t border-line pt-8 sm:grid-cols-2 sm:gap-12">
          <Assurance title="Security">
            Access to connected accounts is read-only and stored encrypted, and the database itself keeps each member’s
            rows from all others.
          </Assurance>
          <Assurance title="Privacy">
            No ads and no scripts from other sites, and you choose in the settings whether usage data is shared.
          </Assurance>
        </div>
      </div>
    </>
  );
}

const Assurance = ({ title, children }: { title: string; children: string }) => (
  <section>
    <h2 className="font-semibold">{title}</h2>
    <p className="mt-1 max-w-prose text-ink-soft">{children}</p>
  </section>
);
