import { useDemoAccount } from '../session/demo-account.ts';
import { demoTour, setDemoTour } from '../session/demo-tour.ts';
import { leaveSample, useIsSampleUser } from '../session/sample-user.ts';
import { useMember } from '../session/session.ts';
import { useSignUpMode } from '../session/sign-up-mode.ts';
import { offlineSince, wasOpenedOffline } from './offline-since.ts';
import { createDateFormat } from '../../kit/date-format.ts';
import { useStore } from '../../kit/use-store.ts';

const formatClock = createDateFormat({ hour: 'numeric', minute: '2-digit' });

/** Returns the age of figures in minutes or hours. */
function formatAge(time: Date): string {
  const minutes = Math.floor((Date.now() - time.getTime()) / 60_000);
  return minutes < 60 ? `${minutes} min old` : `${Math.floor(minutes / 60)} h old`;
}

const describeFigures = (since: Date): string =>
  `You are offline. Data as of ${formatClock(since)}${wasOpenedOffline ? `, ${formatAge(since)}. Nothing can be changed.` : '; your input is kept.'}`;

/** Bar that shows while the device is offline. Not every page shows figures, which have an age. */
export function OfflineBar() {
  const since = useStore(offlineSince);
  const member = useMember();
  return (
    <div role="status">
      {since !== null && (
        <p className="border-b border-line bg-warn-soft px-4 py-2 text-center text-small font-medium text-warn">
          {member && since ? describeFigures(since) : 'You are offline.'}
        </p>
      )}
    </div>
  );
}

/** Ends the tour. The pressed button disappears with it. */
function endTour(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
  setDemoTour(false);
}

/** Bar that shows while the demo tour runs, with its effects. */
export function TourBar() {
  const isTourRunning = useStore(demoTour);
  const member = useMember();
  return (
    <div role="status">
      {isTourRunning && member && (
        <div className="border-b border-line bg-accent-soft">
          <div className="mx-auto flex max-w-page flex-wrap items-center gap-x-4 px-4 py-1.5 text-small sm:px-6">
            <p className="min-w-0 flex-1">
              <span className="font-semibold text-accent">Sample watchlist:</span> empty, on the Free plan; editing is
              disabled.
            </p>
            <button type="button" className="link min-h-8 shrink-0 font-medium" onClick={endTour}>
              End sample
            </button>
          </div>
        </div>
      )}
    </div>
  );
}

/** Bar on every page of the shared demo account. States with whom the account is shared and how long changes last. */
export function DemoBar() {
  const demoAccount = useDemoAccount();
  if (!demoAccount) return null;
  return (
    <aside aria-label="Shared demo account" className="border-b border-line bg-sunken">
      <p className="mx-auto max-w-page px-4 py-1.5 text-small text-ink-soft sm:px-6">
        <span className="font-semibold text-ink">You are in a shared demo account.</span> Everyone with a link can see
        and change this data.
        {demoAccount.resetAt && ` It is reset every day at ${demoAccount.resetAt} UTC.`}
      </p>
    </aside>
  );
}

/** Bar on every page of the sample portfolio. It leads to an account and back to the landing page. */
export function SampleBar() {
  const signUpMode = useSignUpMode();
  if (!useIsSampleUser()) return null;
  return (
    <aside aria-label="Sample portfolio" className="border-b border-line bg-accent-soft">
      <div className="mx-auto flex max-w-page flex-wrap items-center gap-x-4 px-4 py-1.5 text-small sm:px-6">
        <p className="min-w-0 flex-1 basis-60">
          <span className="font-semibold text-accent">Sample portfolio:</span> look around, nothing can be changed.
        </p>
        <div className="flex flex-wrap gap-x-4">
          {signUpMode === 'open' && (
            <button type="button" className="link min-h-8 font-medium" onClick={() => leaveSample('/sign-up')}>
              Create account
            </button>
          )}
          <button type="button" className="link min-h-8 font-medium" onClick={() => leaveSample('/')}>
            Leave
          </button>
        </div>
      </div>
    </aside>
  );
}
