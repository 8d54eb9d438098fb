import { demoTour, setDemoTour } from '../lib/demo-tour.ts';
import { useMember } from '../lib/session.ts';
import { useStore } from '../lib/use-store.ts';

/** Says that the demo tour runs and what it changes, for as long as it does. */
export function TourBar() {
  const touring = useStore(demoTour);
  const member = useMember();
  return (
    <div role="status">
      {touring && member && (
        <div className="border-b border-line bg-accent-soft">
          <div className="mx-auto flex max-w-page flex-wrap items-center gap-x-4 px-4 py-1.5 text-small sm:px-6">
            <p className="min-w-0 flex-1">
              <span className="font-semibold text-accent">Demo tour:</span> an empty watchlist as an example, on the
              Free plan; edits to it are switched off. The rest is your own.
            </p>
            <button
              type="button"
              className="link min-h-8 shrink-0 font-medium"
              onClick={() => {
                // The button goes away with the bar.
                document.getElementById('main')?.focus({ preventScroll: true });
                setDemoTour(false);
              }}
            >
              End tour
            </button>
          </div>
        </div>
      )}
    </div>
  );
}
