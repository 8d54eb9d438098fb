import { Button } from '../../../../ui/kit/button.tsx';
import { Icon, type IconName } from '../../../../ui/kit/icon.tsx';
import { lazyAddInvestment, lazyAddWidget } from './lazy-components.ts';
import { useIsSampleUser } from '../../../../ui/shell/session/sample-user.ts';
import { PrivacyToggle } from '../../../../ui/shell/session/privacy-toggle.tsx';

interface PageActionsProps {
  isArranging: boolean;
  onArrange: () => void;
  onAddWidget: () => void;
  onAddInvestment: () => void;
}

/** Shows the actions of the whole dashboard. The sample portfolio cannot be changed, so it has only the privacy mode. */
export function PageActions({ isArranging, onArrange, onAddWidget, onAddInvestment }: PageActionsProps) {
  if (useIsSampleUser()) return <PrivacyToggle />;
  return (
    <>
      <PrivacyToggle />
      <Button
        variant={isArranging ? 'primary' : 'quiet'}
        className={isArranging ? 'px-3' : `px-3 ${iconOnPhoneClass}`}
        onClick={onArrange}
      >
        {isArranging ? 'Done' : <ActionLabel icon="arrange" text="Arrange" />}
      </Button>
      <Button
        variant="quiet"
        id="add-widget"
        className={`px-3 ${iconOnPhoneClass}`}
        {...lazyAddWidget.preloadProps}
        onClick={onAddWidget}
      >
        <ActionLabel icon="cards" text="Add widget" />
      </Button>
      <Button className={iconOnPhoneClass} {...lazyAddInvestment.preloadProps} onClick={onAddInvestment}>
        <Icon name="plus" />
        <span className="max-sm:sr-only">Add investment</span>
      </Button>
    </>
  );
}

/** Phones have room for icons only, so that the first card begins high. */
const iconOnPhoneClass = 'max-sm:w-9 max-sm:px-0';

const ActionLabel = ({ icon, text }: { icon: IconName; text: string }) => (
  <>
    <span className="sm:hidden">
      <Icon name={icon} />
    </span>
    <span className="max-sm:sr-only">{text}</span>
  </>
);
