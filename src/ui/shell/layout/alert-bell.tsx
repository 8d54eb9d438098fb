import { useEffect } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { useStore } from '../../kit/use-store.ts';
import { openAlertList } from '../alerts/alert-request.ts';
import { followUnreadAlerts, unreadAlerts } from '../alerts/unread-alerts.ts';

/** Opens the list of alerts, with the number of those that fired and were not seen. */
export default function AlertBell() {
  useEffect(() => followUnreadAlerts(), []);
  const count = useStore(unreadAlerts);
  const shownCount = count > 99 ? '99+' : String(count);
  return (
    <div className="relative">
      <button
        type="button"
        title="Alerts"
        aria-label={count === 0 ? 'Alerts' : `Alerts, ${shownCount} new`}
        className="grid size-9 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
        onClick={openAlertList}
      >
        <Icon name="bell" />
      </button>
      {count > 0 && (
        <span
          aria-hidden="true"
          className={
            'pointer-events-none absolute end-0 top-0 min-w-4 rounded-full bg-accent px-1 text-center text-micro ' +
            'leading-4 font-semibold text-on-accent forced-colors:border'
          }
        >
          {shownCount}
        </span>
      )}
      <span role="status" className="sr-only">
        {count > 0 && `${shownCount} new ${count === 1 ? 'alert' : 'alerts'}`}
      </span>
    </div>
  );
}
