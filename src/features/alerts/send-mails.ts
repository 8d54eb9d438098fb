import { randomUUID } from 'node:crypto';
import { addJobInTransaction } from '../../platform/jobs/add-job.ts';
import type { TaskHelpers, TaskName } from '../../platform/jobs/task.ts';
import type { AlertDependencies } from './context.ts';
import { describeFiringWithSymbol, describePrice } from './describe-alert.ts';
import {
  claimMails,
  dropPendingMail,
  findNextMailTime,
  type FiredRow,
  listPendingMail,
  type MailRecipient,
  markMailed,
} from './queries.ts';

export const SEND_ALERT_MAILS = 'send-alert-mails' as TaskName<object>;

/** One job for all members, so that a refresh that fires thousands of alerts adds one row. */
export const ALERT_MAILS_JOB = { key: 'alert-mails', queue: 'alert-mails' };

/** Alerts that one mail lists. The list in the app shows the others. */
const MAX_LISTED = 50;

type MailDependencies = Pick<AlertDependencies, 'logger' | 'baseUrl' | 'findConfirmedAddress'> & {
  database: Pick<AlertDependencies['database'], 'service'>;
  mailer: NonNullable<AlertDependencies['mailer']>;
};

/**
 * Creates the task that sends each member one mail with all that fired since the last one, at most every five minutes.
 * A rejected mail is sent again with the next one, for a day.
 */
export const createMailTask = (deps: MailDependencies) => {
  const sql = deps.database.service;
  return async (_payload: object, { signal }: TaskHelpers): Promise<void> => {
    while (!signal.aborted) {
      const recipients = await claimMails(sql);
      if (recipients.length === 0) break;
      for (const recipient of recipients)
        await sendMail(deps, recipient).catch((err: unknown) =>
          deps.logger.warn({ err, idpId: recipient.idp_id }, 'failed to send alerts by mail; tried again in 5 minutes'),
        );
    }
    const runAt = await findNextMailTime(sql);
    // A key of its own, so that it does not delay the job of an alert that fires now.
    if (runAt)
      await addJobInTransaction(sql, SEND_ALERT_MAILS, {}, { ...ALERT_MAILS_JOB, key: 'later-alert-mails', runAt });
  };
};

async function sendMail(deps: MailDependencies, recipient: MailRecipient): Promise<void> {
  const { idp_id: idpId, unsubscribe_code: code } = recipient;
  const sql = deps.database.service;
  const fired = await listPendingMail(sql, idpId);
  const to = fired.length > 0 ? await deps.findConfirmedAddress(idpId) : undefined;
  if (to === undefined) return dropPendingMail(sql, idpId);
  const base = deps.baseUrl.replace(/\/$/, '');
  await deps.mailer.send({
    to,
    ...writeAlertMail(fired, `${base}/watchlist?alerts=open`, `${base}/stop-alert-mails#code=alerts.${code}`),
    // Equal for a repeated attempt with the same alerts.
    id: `alerts-${fired.at(-1)?.id ?? randomUUID()}`,
    unsubscribeUrl: `${base}/api/alerts/unsubscribe?code=${code}`,
  });
  await markMailed(
    sql,
    idpId,
    fired.map(({ id }) => id),
  );
}

const newYorkTime = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'America/New_York',
});

/** Returns the subject and the plain text of a mail about fired alerts. */
function writeAlertMail(
  fired: readonly FiredRow[],
  listUrl: string,
  unsubscribeUrl: string,
): { subject: string; text: string } {
  const lines = fired.slice(0, MAX_LISTED).map((alert) => {
    const note = alert.note === null ? '' : `\n${alert.note}`;
    const price = describePrice(alert, `${newYorkTime.format(alert.price_at)} New York time`);
    const marks = [...(alert.stale ? ['older price'] : []), ...(alert.sample ? ['sample data'] : [])];
    return `${describeFiringWithSymbol(alert)}\n${[price, ...marks].join(', ')}${note}`;
  });
  const hidden = fired.length - lines.length;
  return {
    subject: fired.length === 1 ? describeFiringWithSymbol(fired[0]!) : `${fired.length} price alerts`,
    text: `${[
      ...lines,
      ...(hidden > 0 ? [`And ${hidden} more.`] : []),
      `All alerts: ${listUrl}`,
      `Stop these mails: ${unsubscribeUrl}`,
    ].join('\n\n')}\n`,
  };
}
