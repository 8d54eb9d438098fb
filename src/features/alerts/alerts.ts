import type { HttpApp } from '../../platform/http/app-type.ts';
import type { MemberRef } from '../../platform/identity/member.ts';
import { createMemberAccess } from '../../platform/identity/member-access.ts';
import type { Feature } from '../../feature.ts';
import type { AlertDependencies } from './context.ts';
import { memberRows } from './export-queries.ts';
import { type AlertRow, deleteExpired, deleteMemberAlerts, type FiredRow, listAlerts, listFired } from './queries.ts';
import { addAlertRoutes, addUnsubscribeRoute } from './routes.ts';
import { createMailTask, SEND_ALERT_MAILS } from './send-mails.ts';

const CLEANUP_TASK = 'cleanup-alerts';

interface AlertFeature extends Feature {
  /** Reads the member's alerts, and those that fired, newest first. */
  readAlerts(member: MemberRef): Promise<{ alerts: AlertRow[]; fired: FiredRow[] }>;
}

/** Creates the feature of price alerts. Market data calls `createAlertEvaluator` when it stores prices. */
export function createAlerts(deps: AlertDependencies): AlertFeature {
  const { database, mailer } = deps;
  const { asMember } = createMemberAccess(database, deps.guards);
  return {
    name: 'alerts',
    memberRows,
    async register(app: HttpApp) {
      await addAlertRoutes(app, deps);
      await addUnsubscribeRoute(app, deps);
    },
    tasks: {
      [CLEANUP_TASK]: () => deleteExpired(database.service),
      ...(mailer && { [SEND_ALERT_MAILS]: createMailTask({ ...deps, mailer }) }),
    },
    schedules: [{ task: CLEANUP_TASK, match: '41 3 * * *', backfillMinutes: 600 }],
    onUserDeleted: deleteMemberAlerts,
    async readAlerts(member) {
      const sql = asMember(member);
      const [alerts, fired] = await Promise.all([listAlerts(sql, member.idpId), listFired(sql, member.idpId)]);
      return { alerts, fired };
    },
  };
}
