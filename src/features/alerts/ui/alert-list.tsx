import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Badge } from '../../../ui/kit/badge.tsx';
import { Button } from '../../../ui/kit/button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { OfflineNotice } from '../../../ui/kit/offline-notice.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { formatMoment } from '../../../ui/kit/formats.ts';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { closeAlertList, useMaySetAlerts } from '../../../ui/shell/alerts/alert-request.ts';
import { callApi } from '../../../ui/shell/api/api.ts';
import { showErrorToast } from '../../../ui/shell/session/show-error-toast.ts';
import type { AlertList as Alerts, FiredAlert } from '../contract.ts';
import { describeFiring, describePrice } from '../describe-alert.ts';
import { AlertedSecurity } from './alerted-security.tsx';
import { AlertRows } from './alert-rows.tsx';
import { rereadAlerts, useAlerts } from './alerts-query.ts';

/** Shows the alerts that fired, which are read then, and those that wait for a price. */
export function AlertList() {
  const { data, error, isPending, isPaused, refetch } = useAlerts();
  return (
    <Dialog title="Alerts" className="w-[min(32rem,calc(100vw-2rem))]" onClose={closeAlertList} hasUrl startsAtHeading>
      {data && <LoadedAlerts list={data} />}
      {!data && isPaused && <OfflineNotice />}
      {isPending && !isPaused && <Skeleton lines={5} label="Loading your alerts" />}
      {error && !data && (
        <div className="mt-4">
          <ErrorMessage
            error={error}
            retry={() => {
              void refetch();
            }}
          />
        </div>
      )}
      <div className="mt-5 flex justify-end">
        <Button onClick={closeAlertList}>Close</Button>
      </div>
    </Dialog>
  );
}

function LoadedAlerts({ list: { alerts, fired, limit, mail } }: { list: Alerts }) {
  const newIds = useMarkRead(fired);
  const maySetAlerts = useMaySetAlerts();
  if (alerts.length === 0 && fired.length === 0)
    return (
      <p className="mt-3 text-ink-soft">
        {maySetAlerts
          ? 'You have no alerts. Open a ticker and choose Set alert to hear when it reaches a price.'
          : 'A shared account has no alerts. Your own account can set them for every ticker.'}
      </p>
    );
  return (
    <>
      {fired.length > 0 && (
        <section aria-label="Fired alerts" className="mt-3">
          <ul className="grid">
            {fired.map((alert) => (
              <FiredRow key={alert.id} alert={alert} isNew={!alert.read || newIds.has(alert.id)} />
            ))}
          </ul>
        </section>
      )}
      <section className="mt-5 grid gap-2">
        <h3 className="text-small font-medium text-ink-soft">{`Waiting, ${alerts.length} of ${limit}`}</h3>
        <AlertRows alerts={alerts} showsSymbol label="Waiting alerts" />
        {alerts.length === 0 && <p className="text-small text-ink-faint">No alert waits for a price.</p>}
      </section>
      {mail.available && maySetAlerts && <MailChoice enabled={mail.enabled} />}
    </>
  );
}

function FiredRow({ alert, isNew }: { alert: FiredAlert; isNew: boolean }) {
  return (
    <li className="border-t border-line py-2 first:border-t-0">
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">
          <AlertedSecurity symbol={alert.symbol} /> {describeFiring(alert)}
        </span>
        {isNew && <Badge tone="accent">New</Badge>}
        {alert.sample && <Badge tone="warn">Sample price</Badge>}
        {alert.stale && <Badge tone="warn">Older price</Badge>}
      </p>
      <p className="text-small text-ink-faint">{describePrice(alert, formatMoment(alert.price_at))}</p>
      {alert.note !== null && <p className="text-small wrap-anywhere text-ink-soft">{alert.note}</p>}
    </li>
  );
}

/** Marks fired alerts as read once they are shown. Returns those that were new while the list is open. */
function useMarkRead(fired: readonly FiredAlert[]): ReadonlySet<string> {
  const queries = useQueryClient();
  const [newIds, setNewIds] = useState<ReadonlySet<string>>(new Set());
  const unread = fired.filter(({ read, id }) => !read && !newIds.has(id)).map(({ id }) => id);
  const maySetAlerts = useMaySetAlerts();
  const key = unread.join();
  useEffect(() => {
    if (key === '' || !maySetAlerts) return;
    const ids = key.split(',');
    // A failure leaves them unread for the next time.
    callApi('POST /api/alerts/read', { body: { ids } }).then(
      () => {
        setNewIds((known) => new Set([...known, ...ids]));
        void rereadAlerts(queries);
      },
      () => {},
    );
  }, [key, maySetAlerts, queries]);
  return newIds;
}

/** Checkbox for alerts by mail. */
function MailChoice({ enabled }: { enabled: boolean }) {
  const queries = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  function save(choice: boolean): void {
    setSaving(true);
    void callApi('PUT /api/alerts/mail', { body: { enabled: choice } })
      .catch((error: Error) => showErrorToast('Could not save the choice.', error, () => save(choice)))
      .then(() => rereadAlerts(queries))
      .finally(() => setSaving(false));
  }
  return (
    <label className="mt-5 flex items-start gap-3 border-t border-line pt-4">
      <input
        type="checkbox"
        className="mt-1 size-4 accent-accent"
        checked={enabled}
        aria-busy={isSaving}
        onChange={(event) => {
          if (!isSaving) save(event.target.checked);
        }}
      />
      <span>
        Also by mail
        <span className="block text-small text-ink-faint">At most one mail in five minutes, with all that fired.</span>
      </span>
    </label>
  );
}
