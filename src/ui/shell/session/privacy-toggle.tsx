import { Icon } from '../../kit/icon.tsx';
import { useStore } from '../../kit/use-store.ts';
import { privacyMode, setPrivacyMode } from './privacy-mode.ts';

/** Classes of a button with an icon that is pressed or not. */
const toggleButtonClass =
  'grid size-9 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink ' +
  'aria-pressed:bg-accent-soft aria-pressed:text-accent';

/** Button that hides and shows the member's amounts. */
export function PrivacyToggle() {
  const isPrivate = useStore(privacyMode);
  return (
    <button
      type="button"
      aria-pressed={isPrivate}
      aria-label="Privacy mode"
      title="Privacy mode hides amounts and keeps percentages and shares"
      className={toggleButtonClass}
      onClick={() => setPrivacyMode(!isPrivate)}
    >
      <Icon name={isPrivate ? 'eye-off' : 'eye'} />
    </button>
  );
}
