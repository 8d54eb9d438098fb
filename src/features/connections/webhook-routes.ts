import type { HttpApp } from '../../platform/http/app-type.ts';
import { addSignedWebhook } from '../../platform/http/signed-webhook.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { addJobInTransaction } from '../../platform/jobs/add-job.ts';
import type { Aggregator, Hint } from './aggregator.ts';
import { findOpenAttemptId, listOpenAttempts } from './attempt-queries.ts';
import { findMemberByUserId } from './brokerage/user-queries.ts';
import type { ConnectionContext } from './context.ts';
import { FINISH_ATTEMPT } from './jobs.ts';
import { findConnectionsByExternalId, listExistingConnections, recordDelivery } from './queries.ts';
import { SYNC_CONNECTION, syncKey } from './sync-connection.ts';

/** Called for a webhook about a connection that is not stored: its access was lost, or it is being created. */
export type OnUnknownConnection = (provider: string) => void;

/**
 * Adds `POST /api/webhooks/…` for the aggregators. A webhook only identifies the connection to sync. Only the sync
 * changes data.
 */
export function addWebhookRoute(
  app: HttpApp,
  { sql }: ConnectionContext,
  { provider, webhook }: Aggregator,
  onUnknownConnection: OnUnknownConnection,
): void {
  addSignedWebhook(app, {
    ...webhook,
    path: `/api/webhooks/${webhook.path}`,
    getEventId: ({ id }) => id,
    sql,
    recordDelivery: (transaction, id) => recordDelivery(transaction, provider, id),
    handle: (transaction, { hint }) => handleHint(transaction, provider, hint, onUnknownConnection),
  });
}

async function handleHint(
  sql: ServiceSql,
  provider: string,
  hint: Hint,
  onUnknownConnection: OnUnknownConnection,
): Promise<void> {
  switch (hint.target) {
    case 'attempt': {
      const id = await findOpenAttemptId(sql, hint.reference);
      if (id !== undefined) await enqueueFinishes(sql, [id]);
      return;
    }
    case 'connection': {
      let ids = await findConnectionsByExternalId(sql, provider, hint.externalId);
      // No stored connection matches: it is being created, was created between the two reads, was removed, or its token
      // was lost.
      if (ids.length === 0 && !hint.isRemoval) {
        if (await enqueueFinishesForUser(sql, provider, hint.user)) return;
        ids = await findConnectionsByExternalId(sql, provider, hint.externalId);
        if (ids.length === 0) return onUnknownConnection(provider);
      }
      return enqueueSyncs(sql, ids, hint.isExpiring);
    }
    case 'member': {
      await enqueueFinishesForUser(sql, provider, hint.user);
      const idpId = await findMemberByUserId(sql, hint.user);
      const connections = idpId === undefined ? [] : await listExistingConnections(sql, idpId, provider);
      await enqueueSyncs(sql, connections.map(({ id }) => id).sort());
      return;
    }
    case 'none':
      return;
  }
}

/** Enqueues the open attempts of an aggregator's user. Returns false if there are none. */
async function enqueueFinishesForUser(sql: ServiceSql, provider: string, user: string | undefined): Promise<boolean> {
  const idpId = user === undefined ? undefined : await findMemberByUserId(sql, user);
  const ids = idpId === undefined ? [] : await listOpenAttempts(sql, idpId, provider);
  await enqueueFinishes(sql, ids);
  return ids.length > 0;
}

async function enqueueFinishes(sql: ServiceSql, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await addJobInTransaction(sql, FINISH_ATTEMPT, { attempt_id: id }, { key: `finish-attempt:${id}` });
}

async function enqueueSyncs(sql: ServiceSql, ids: readonly string[], expiring?: boolean): Promise<void> {
  for (const id of ids) {
    const payload = { connection_id: id, ...(expiring !== undefined && { expiring }) };
    await addJobInTransaction(sql, SYNC_CONNECTION, payload, { key: syncKey(id, expiring) });
  }
}
