import { demoTour, setDemoTour } from '../../../../ui/shell/session/demo-tour.ts';
import { useStore } from '../../../../ui/kit/use-store.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { Icon } from '../../../../ui/kit/icon.tsx';
import type { DashboardFeatures } from './dashboard-features.ts';
import { addInvestment, addWidget } from './dialogs.ts';
import { privacyMode, setPrivacyMode } from '../../../../ui/shell/session/privacy-mode.ts';

interface PageActionsProps {
  arranging: boolean;
  preloadAssistant: DashboardFeatures['preloadAssistant'];
  onArrange: () => void;
  onAddWidget: () => void;
  onAddInvestment: () => void;
  onAsk: () => void;
}

const toggle =
  'grid size-9 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink ' +
  'aria-pressed:bg-accent-soft aria-pressed:text-accent';

/** What can be done with the dashboard as a whole. */
export function PageActions({
  arranging,
  preloadAssistant,
  onArrange,
  onAddWidget,
  onAddInvestment,
  onAsk,
}: PageActionsProps) {
  const hidden = useStore(privacyMode);
  const touring = useStore(demoTour);
  return (
    <>
      {/* On phones a drawing, so that the page's title keeps room for the mark that comes behind it. */}
      <Button look="quiet" className="px-3 max-sm:w-9 max-sm:px-0" {...preloadAssistant} onClick={onAsk}>
        <span className="sm:hidden">
          <Icon name="chat" />
        </span>
        <span className="max-sm:sr-only">Ask</span>
      </Button>
      <button
        type="button"
        aria-pressed={touring}
        aria-label="Demo tour"
        title="Demo tour: see how a watchlist begins"
        className={toggle}
        onClick={() => setDemoTour(!touring)}
      >
        <Icon name="play" />
      </button>
      <button
        type="button"
        aria-pressed={hidden}
        aria-label="Privacy mode"
        title="Privacy mode: hide amounts"
        className={toggle}
        onClick={() => setPrivacyMode(!hidden)}
      >
        <Icon name={hidden ? 'eye-off' : 'eye'} />
      </button>
      <div
        className={
          'flex w-full flex-wrap items-center gap-1 max-sm:-ms-3 max-sm:w-[calc(100%+0.75rem)] ' + 'sm:w-auto sm:gap-2'
        }
      >
        <Button look={arranging ? 'primary' : 'quiet'} className="px-3" onClick={onArrange}>
          {arranging ? 'Done' : 'Arrange'}
        </Button>
        <Button look="quiet" id="add-widget" className="px-3" {...addWidget.preloadProps} onClick={onAddWidget}>
          Add widget
        </Button>
        <Button className="ms-auto" {...addInvestment.preloadProps} onClick={onAddInvestment}>
          <Icon name="plus" />
          Add investment
        </Button>
      </div>
    </>
  );
}
