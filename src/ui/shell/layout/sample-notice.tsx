import { Button } from '../../kit/button.tsx';
import { Link } from '../navigation/link.tsx';
import { leaveSample } from '../session/sample-user.ts';
import { closedSignUpTexts, useSignUpMode } from '../session/sign-up-mode.ts';

/** Stands in the place of a page that the sample portfolio does not have. */
export default function SampleNotice({ title }: { title: string }) {
  const signUpMode = useSignUpMode();
  return (
    <section className="mx-auto grid max-w-prose gap-4">
      <h1 className="text-title font-semibold tracking-tight">{title}</h1>
      <p className="text-ink-soft">The sample portfolio is read-only and has no settings. Your own account has them.</p>
      {signUpMode !== 'open' && <p className="text-ink-soft">{closedSignUpTexts[signUpMode]}</p>}
      <p className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {signUpMode === 'open' && (
          <Button variant="primary" onClick={() => leaveSample('/sign-up')}>
            Create account
          </Button>
        )}
        <Link href="/dashboard" className="link">
          Back to Home
        </Link>
      </p>
    </section>
  );
}
