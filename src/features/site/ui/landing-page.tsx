import type { ReactNode } from 'react';
import { useLocation } from '../../../ui/shell/navigation/location.ts';
import { getButtonClass } from '../../../ui/kit/button.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import { closedSignUpTexts, useSignUpMode } from '../../../ui/shell/session/sign-up-mode.ts';
import { LandingIntro } from './landing-intro.tsx';
import { LandingFeatures } from './landing-features.tsx';
import { PortfolioPreview } from './portfolio-preview.tsx';
import { SampleButton } from './sample-button.tsx';

interface LandingPageProps {
  plans: ReactNode;
  /** A field that counts tokens in the browser. */
  counter: ReactNode;
}

/** Shows what the product is for with a sample portfolio, its plans and where data are, and leads to an account. */
export function LandingPage({ plans, counter }: LandingPageProps) {
  const { search } = useLocation();
  const signUpMode = useSignUpMode();
  return (
    <div className="grid gap-12">
      <LandingIntro
        actions={
          <>
            {signUpMode === 'open' ? (
              <Link href={`/sign-up${search}`} className={getButtonClass('primary', 'min-h-11 px-5')}>
                Create account
              </Link>
            ) : (
              <p className="flex min-h-11 items-center">{closedSignUpTexts[signUpMode]}</p>
            )}
            <SampleButton />
          </>
        }
        picture={<PortfolioPreview />}
      />
      <LandingFeatures />
      <section aria-labelledby="plans" className="grid gap-5">
        <h2 id="plans" className="text-title font-semibold tracking-tight">
          What it costs
        </h2>
        {plans}
      </section>
      <section aria-labelledby="your-data" className="grid gap-2">
        <h2 id="your-data" className="text-title font-semibold tracking-tight">
          Where your data are
        </h2>
        <p className="max-w-prose text-ink-soft">
          In the database of this site, which keeps each member’s rows from all others. Access to connected accounts is
          read-only and stored encrypted. There are no ads and no scripts from other sites, and you choose in the
          settings whether usage data is shared. You can download everything, and delete it.{' '}
          <Link href="/privacy" className="link">
            Privacy
          </Link>
        </p>
      </section>
      <section aria-labelledby="own-server" className="grid gap-5 lg:grid-cols-2 lg:items-center lg:gap-12">
        <div>
          <h2 id="own-server" className="text-title font-semibold tracking-tight">
            Run it yourself
          </h2>
          <p className="mt-2 max-w-prose text-ink-soft">
            Tally is open source. Two commands start the whole service on your machine, with its database and sample
            data.
          </p>
        </div>
        {/* The block scrolls on narrow screens. Keyboard users must therefore be able to reach the block. */}
        <pre tabIndex={0} aria-label="Commands" className="card overflow-x-auto p-4 font-mono text-small sm:p-5">
          {'npm ci\nnpm start'}
        </pre>
      </section>
      <section aria-labelledby="developers" className="grid gap-5 lg:grid-cols-2 lg:items-center lg:gap-12">
        <div>
          <h2 id="developers" className="text-title font-semibold tracking-tight">
            For developers
          </h2>
          <p className="mt-2 max-w-prose text-ink-soft">
            Count the input tokens of a Messages request before you send it, as a library, in the browser or over HTTP.
          </p>
          <p className="mt-4 flex flex-wrap gap-x-5 gap-y-2">
            <Link href="/developers/playground" className="link">
              Playground
            </Link>
            {/* The reference is a document of the server, not a page of the app. */}
            <a href="/docs" className="link">
              API reference
            </a>
          </p>
        </div>
        {counter}
      </section>
    </div>
  );
}
