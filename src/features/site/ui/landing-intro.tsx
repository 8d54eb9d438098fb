import type { ReactNode } from 'react';

interface LandingIntroProps {
  actions: ReactNode;
  picture: ReactNode;
}

/** Says what the product is for, beside a picture of it. The document of the landing page contains it without scripts. */
export const LandingIntro = ({ actions, picture }: LandingIntroProps) => (
  <div className="grid items-center gap-8 pt-2 sm:pt-6 lg:grid-cols-2 lg:gap-12">
    <div>
      <h1 className="text-display font-semibold tracking-display">Your whole portfolio in one place</h1>
      <p className="mt-5 max-w-prose text-lead text-ink-soft">
        For private investors: net worth, holdings and a watchlist on one dashboard, from connected accounts or added by
        hand. Free to use.
      </p>
      <div className="mt-8 flex min-h-11 flex-wrap gap-3">{actions}</div>
    </div>
    {picture}
  </div>
);
