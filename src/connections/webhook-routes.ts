import type { HttpApp } from '../http/app-type.ts';
import { addSignedWebhook } from '../http/signed-webhook.ts';
import type { ServiceSql } from '../database/roles.ts';
import { addJobIn } from '../jobs/add-job.ts';
import type { Aggregator, Hint } from './aggregator.ts';
import { findByReference } from './attempt-queries.ts';
import type { ConnectionContext } from './context.ts';
import { FINISH_ATTEMPT } from './jobs.ts';
import { findByExternalId, recordDelivery } from './queries.ts';
import { SYNC_CONNECTION, syncKey } from './sync-connection.ts';

/** Told of a webhook about a connection that is none of ours: access that was lost, or is being made right now. */
export type OnUnknown = (provider: string) => void;

/** `POST /api/webhooks/…`: what aggregators tell. It says where to look; only the look changes anything. */
export function addWebhookRoute(
  app: HttpApp,
  ctx: ConnectionContext,
  aggregator: Aggregator,
  onUnknown: OnUnknown,
): void {
  const { provider, webhook } = aggregator;
  addSignedWebhook(app, {
    path: `/api/webhooks/${webhook.path}`,
    sender: webhook.sender,
    scheme: webhook.scheme,
    ...(webhook.tolerance && { tolerance: webhook.tolerance }),
    event: webhook.event,
    idOf: ({ id }) => id,
    sql: ctx.sql,
    remember: (sql, id) => recordDelivery(sql, provider, id),
    handle: (sql, { hint }) => follow(sql, provider, hint, onUnknown),
  });
}

async function follow(sql: ServiceSql, provider: string, hint: Hint, onUnknown: OnUnknown): Promise<void> {
  switch (hint.about) {
    case 'attempt': {
      const id = await findByReference(sql, hint.reference);
      if (id !== undefined) await addJobIn(sql, FINISH_ATTEMPT, { attempt_id: id }, { key: `finish-attempt:${id}` });
      return;
    }
    case 'connection': {
      const ids = await findByExternalId(sql, provider, hint.externalId);
      if (ids.length === 0) onUnknown(provider);
      for (const id of ids) {
        const payload = { connection_id: id, ...(hint.isExpiring !== undefined && { expiring: hint.isExpiring }) };
        await addJobIn(sql, SYNC_CONNECTION, payload, { key: syncKey(id, hint.isExpiring) });
      }
      return;
    }
    case 'nothing':
      return;
  }
}
