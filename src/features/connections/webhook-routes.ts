import type { HttpApp } from '../../platform/http/app-type.ts';
import { addSignedWebhook } from '../../platform/http/signed-webhook.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { addJobIn } from '../../platform/jobs/add-job.ts';
import type { Aggregator, Hint } from './aggregator.ts';
import { findByReference, listOpenOf } from './attempt-queries.ts';
import { findByName } from './brokerage/user-queries.ts';
import type { ConnectionContext } from './context.ts';
import { FINISH_ATTEMPT } from './jobs.ts';
import { findByExternalId, listKnown, recordDelivery } from './queries.ts';
import { SYNC_CONNECTION, syncKey } from './sync-connection.ts';

/** Told of a webhook about a connection that is none of ours: access that was lost, or is being made right now. */
export type OnUnknown = (provider: string) => void;

/** `POST /api/webhooks/…`: what aggregators tell. It says what to sync; only the sync changes anything. */
export function addWebhookRoute(
  app: HttpApp,
  { sql }: ConnectionContext,
  { provider, webhook }: Aggregator,
  onUnknown: OnUnknown,
): void {
  addSignedWebhook(app, {
    ...webhook,
    path: `/api/webhooks/${webhook.path}`,
    idOf: ({ id }) => id,
    sql,
    remember: (transaction, id) => recordDelivery(transaction, provider, id),
    handle: (transaction, { hint }) => follow(transaction, provider, hint, onUnknown),
  });
}

async function follow(sql: ServiceSql, provider: string, hint: Hint, onUnknown: OnUnknown): Promise<void> {
  switch (hint.about) {
    case 'attempt': {
      const id = await findByReference(sql, hint.reference);
      if (id !== undefined) await requestFinishes(sql, [id]);
      return;
    }
    case 'connection': {
      let ids = await findByExternalId(sql, provider, hint.externalId);
      // One that is not stored is being made, was stored between these reads, was removed here, or was lost.
      if (ids.length === 0 && !hint.isEnd) {
        if (await requestFinishesOf(sql, provider, hint.user)) return;
        ids = await findByExternalId(sql, provider, hint.externalId);
        if (ids.length === 0) return onUnknown(provider);
      }
      return requestSyncs(sql, ids, hint.isExpiring);
    }
    case 'member': {
      await requestFinishesOf(sql, provider, hint.user);
      const idpId = await findByName(sql, hint.user);
      const stored = idpId === undefined ? [] : await listKnown(sql, idpId, provider);
      await requestSyncs(sql, stored.map(({ id }) => id).sort());
      return;
    }
    case 'nothing':
      return;
  }
}

/** Goes on with the open attempts of whom an aggregator calls so; false where there are none. */
async function requestFinishesOf(sql: ServiceSql, provider: string, user: string | undefined): Promise<boolean> {
  const idpId = user === undefined ? undefined : await findByName(sql, user);
  const ids = idpId === undefined ? [] : await listOpenOf(sql, idpId, provider);
  await requestFinishes(sql, ids);
  return ids.length > 0;
}

async function requestFinishes(sql: ServiceSql, ids: readonly string[]): Promise<void> {
  for (const id of ids) await addJobIn(sql, FINISH_ATTEMPT, { attempt_id: id }, { key: `finish-attempt:${id}` });
}

async function requestSyncs(sql: ServiceSql, ids: readonly string[], expiring?: boolean): Promise<void> {
  for (const id of ids) {
    const payload = { connection_id: id, ...(expiring !== undefined && { expiring }) };
    await addJobIn(sql, SYNC_CONNECTION, payload, { key: syncKey(id, expiring) });
  }
}
