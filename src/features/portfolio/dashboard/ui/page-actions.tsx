import { Button } from '../../../../ui/kit/button.tsx';
import { Icon, type IconName } from '../../../../ui/kit/icon.tsx';
import { lazyAddInvestment, lazyAddCard } from './lazy-components.ts';
import { useIsSampleUser } from '../../../../ui/shell/session/sample-user.ts';
import { PrivacyToggle } from '../../../../ui/shell/session/privacy-toggle.tsx';

interface PageActionsProps {
  isArranging: boolean;
  /** Whether a card can be added again. */
  hasRemovedCards: boolean;
  onArrange: () => void;
  onAddCard: () => void;
  onAddInvestment: () => void;
}

/** Shows the actions of Home. Removed cards are added again while the others are arranged. The sample portfolio cannot be changed, so it has only the privacy mode. */
export function PageActions({ isArranging, hasRemovedCards, onArrange, onAddCard, onAddInvestment }: PageActionsProps) {
  if (useIsSampleUser()) return <PrivacyToggle />;
  return (
    <>
      <PrivacyToggle />
      {isArranging && hasRemovedCards && (
        <Button
          variant="quiet"
          id="add-card"
          className={`px-3 ${iconOnPhoneClass}`}
          {...lazyAddCard.preloadProps}
          onClick={onAddCard}
        >
          <ActionLabel icon="cards" text="Add card" />
        </Button>
      )}
      <Button
        variant={isArranging ? 'primary' : 'quiet'}
        className={isArranging ? 'px-3' : `px-3 ${iconOnPhoneClass}`}
        onClick={onArrange}
      >
        {isArranging ? 'Done' : <ActionLabel icon="arrange" text="Arrange" />}
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
