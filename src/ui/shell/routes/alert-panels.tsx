import { AlertList } from '../../../features/alerts/ui/alert-list.tsx';
import { SetAlertDialog } from '../../../features/alerts/ui/set-alert-dialog.tsx';
import { useStore } from '../../kit/use-store.ts';
import { alertForm, useIsAlertListOpen } from '../alerts/alert-request.ts';
import { Queries } from '../api/queries.tsx';

/** The list of all alerts, and the alerts of one security, over any page of a member. */
export default function AlertPanels() {
  const security = useStore(alertForm);
  const isListOpen = useIsAlertListOpen();
  return (
    <Queries>
      {isListOpen && <AlertList />}
      {security && <SetAlertDialog key={security.symbol} security={security} onClose={() => alertForm.set(null)} />}
    </Queries>
  );
}
