import type { Analytics } from '../../platform/analytics/analytics.ts';
import { addJobInTransaction } from '../../platform/jobs/add-job.ts';
import type { EvaluatePrices } from '../../market-data/services/prices/written-prices.ts';
import { ALERT_MAILS_JOB, SEND_ALERT_MAILS } from './send-mails.ts';
import { adjustForSplits, fireAlerts } from './queries.ts';

interface EvaluatorDependencies {
  /** Whether the installation sends mail. */
  sendsMail: boolean;
  capture: Analytics['capture'];
}

/**
 * Creates the function that evaluates alerts in the transaction that stores prices. The fired alerts and the job of their
 * mails are committed with the prices, or not at all.
 */
export const createAlertEvaluator =
  ({ sendsMail, capture }: EvaluatorDependencies): EvaluatePrices =>
  async (sql, { prices, splits }) => {
    if (splits.length > 0) await adjustForSplits(sql, splits, prices);
    const fired = prices.length > 0 ? await fireAlerts(sql, prices, { sendsMail }) : [];
    if (fired.some(({ mail_pending: isPending }) => isPending))
      await addJobInTransaction(sql, SEND_ALERT_MAILS, {}, ALERT_MAILS_JOB);
    return () => {
      for (const { idp_id: idpId, symbol, kind } of fired)
        capture(idpId, 'alert_fired', { symbol, kind }, { declined: false });
    };
  };
