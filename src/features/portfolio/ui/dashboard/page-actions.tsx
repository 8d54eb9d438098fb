import { demoTour, setDemoTour } from '../../../../ui/shell/session/demo-tour.ts';
import { useStore } from '../../../../ui/kit/use-store.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { Icon } from '../../../../ui/kit/icon.tsx';
import type { DashboardFeatures } from './dashboard-features.ts';
import { lazyAddInvestment, lazyAddWidget } from './lazy-components.ts';
import { privacyMode, setPrivacyMode } from '../../../../ui/shell/session/privacy-mode.ts';

interface PageActionsProps {
  isArranging: boolean;
  preloadAssistant: DashboardFeatures['preloadAssistant'];
  onArrange: () => void;
  onAddWidget: () => void;
  onAddInvestment: () => void;
  onAsk: () => void;
}

const toggleClass =
  'grid size-9 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink ' +
  'aria-pressed:bg-accent-soft aria-pressed:text-accent';

/** Shows the actions of the whole dashboard. */
export function PageActions({
  isArranging,
  preloadAssistant,
  onArrange,
  onAddWidget,
  onAddInvestment,
  onAsk,
}: PageActionsProps) {
  const isPrivate = useStore(privacyMode);
  const isTourRunning = useStore(demoTour);
  return (
    <>
      {/* On phones an icon, so that the page's title has room for the badge after it. */}
      <Button variant="quiet" className="px-3 max-sm:w-9 max-sm:px-0" {...preloadAssistant} onClick={onAsk}>
        <span className="sm:hidden">
          <Icon name="chat" />
        </span>
        <span className="max-sm:sr-only">Ask</span>
      </Button>
      <button
        type="button"
        aria-pressed={isTourRunning}
        aria-label="Demo tour"
        title="Demo tour: see an empty watchlist"
        className={toggleClass}
        onClick={() => setDemoTour(!isTourRunning)}
      >
        <Icon name="play" />
      </button>
      <button
        type="button"
        aria-pressed={isPrivate}
        aria-label="Privacy mode"
        title="Privacy mode: hide amounts"
        className={toggleClass}
        onClick={() => setPrivacyMode(!isPrivate)}
      >
        <Icon name={isPrivate ? 'eye-off' : 'eye'} />
      </button>
      <div
        className={
          'flex w-full flex-wrap items-center gap-1 max-sm:-ms-3 max-sm:w-[calc(100%+0.75rem)] ' + 'sm:w-auto sm:gap-2'
        }
      >
        <Button
          variant={isArranging ? 'primary' : 'quiet'}
          className={isArranging ? 'px-3 max-sm:ms-3' : 'px-3'}
          onClick={onArrange}
        >
          {isArranging ? 'Done' : 'Arrange'}
        </Button>
        <Button variant="quiet" id="add-widget" className="px-3" {...lazyAddWidget.preloadProps} onClick={onAddWidget}>
          Add widget
        </Button>
        <Button className="ms-auto" {...lazyAddInvestment.preloadProps} onClick={onAddInvestment}>
          <Icon name="plus" />
          Add investment
        </Button>
      </div>
    </>
  );
}
