import { randomUUID } from 'node:crypto';
import { connectDatabase, type DatabaseUrls } from '../../src/platform/database/connect.ts';
import type { ServiceSql } from '../../src/platform/database/roles.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { checkWebhook } from '../../src/platform/http/signed-webhook.ts';
import {
  signDelivery,
  createStandardWebhooksScheme,
} from '../../src/platform/http/webhook-schemes/standard-webhooks.ts';
import { recordDelivery, upsertMember } from '../../src/platform/identity/queries.ts';
import { createPersonLookup } from '../../src/features/referrals/look-up-person.ts';
import { markCompleted, recordFirstConnection } from '../../src/features/referrals/mark-completed.ts';
import { getReferralLink } from '../../src/features/referrals/referral-link.ts';
import { trackPublicCall, trackUserCreated } from '../../src/features/referrals/track-signup.ts';
import { WEBHOOK_SECRET } from './identity.ts';
import type { ReferralEvent } from './referral-sequences.ts';

/** A sequence's persons, as both processes identify them. */
export interface Participants {
  tag: string;
  ids: readonly string[];
  /** Creation times of the persons at the provider, in ms since 1970. */
  createdAt: readonly number[];
  /** For each person, the owner of the link in the metadata that the provider returns. */
  carriedRefs: readonly number[];
}

export type RunEvents = (participants: Participants, events: readonly ReferralEvent[]) => Promise<void>;

const FIXED_PARTICIPANTS = { accounts: { demoAccountId: 'user_demo', sampleUserId: 'user_sample' } };
const SILENT = { countReport: () => {}, countRateLimited: () => {}, countCycle: () => {} };

/** Runs events like a process of the service, over its own connections. Events of one call run at once. */
export function createRunner(urls: DatabaseUrls): { run: RunEvents; close(): Promise<void> } {
  const database = connectDatabase(urls);
  const sql = database.service;
  const scheme = createStandardWebhooksScheme([WEBHOOK_SECRET]);
  const run: RunEvents = async (cast, events) => {
    const lookUp = createPersonLookup(createProvider(sql, cast), { maxPerMinute: 1_000 });
    const context = { ...FIXED_PARTICIPANTS, sql, logger: createLogger('silent'), metrics: SILENT, lookUp };
    const applyEvent = async (event: ReferralEvent): Promise<void> => {
      const idpId = cast.ids[event.person]!;
      switch (event.kind) {
        case 'connect':
          await sql.transaction((tx) =>
            recordFirstConnection(context, tx, { idpId, kind: event.by, connectionId: randomUUID() }),
          );
          return;
        case 'complete':
          await markCompleted(context, idpId);
          return;
        case 'track':
          await trackPublicCall(context, { referred: idpId, referrer: cast.ids[event.ref]! });
          return;
        case 'forged': {
          const headers = signDelivery('whsec_Zm9yZ2Vk', randomUUID(), '{}', Date.now() / 1000);
          const check = await checkWebhook(scheme, { past: 300, future: 300 }, { headers, body: Buffer.from('{}') });
          if (check.ok) throw new Error('A forged delivery passed.');
          return;
        }
        case 'created': {
          const ref = await getReferralLink(sql, cast.ids[event.ref]!);
          const createdAt = new Date(cast.createdAt[event.person]!);
          await deliver(sql, `${cast.tag}-${event.person}-${event.ref}-${event.delivery}`, async (tx) => {
            await upsertMember(tx, { idpId, email: null, createdAt, updatedAt: createdAt });
            const event = { idpId, email: null, createdAt, unsafeMetadata: { ref }, clientIp: null, userAgent: null };
            await trackUserCreated(context, tx, event);
          });
        }
      }
    };
    await Promise.all(events.map(applyEvent));
  };
  return { run, close: () => database.close() };
}

/** Handles one delivery of the provider. Its id counts once. */
async function deliver(sql: ServiceSql, id: string, handle: (tx: ServiceSql) => Promise<void>): Promise<void> {
  await sql.transaction(async (tx) => {
    if (await recordDelivery(tx, id, 'user.created')) await handle(tx);
  });
}

const createProvider = (
  sql: ServiceSql,
  { ids, createdAt, carriedRefs }: Participants,
): Parameters<typeof createPersonLookup>[0] => ({
  async getUser(id) {
    const person = ids.indexOf(id);
    const at = createdAt[person]!;
    const unsafe_metadata = { ref: await getReferralLink(sql, ids[carriedRefs[person]!]!) };
    const times = { created_at: at, updated_at: at };
    const value = { object: 'user' as const, id, ...times, banned: false, email_addresses: [], unsafe_metadata };
    return { ok: true, value, traceId: null };
  },
});

// As a process of its own it runs the events of its parent and reports success or the error.
if (import.meta.main) {
  const runner = createRunner(JSON.parse(process.argv[2]!) as DatabaseUrls);
  process.on('message', ({ cast, events }: { cast: Participants; events: ReferralEvent[] }) => {
    runner.run(cast, events).then(
      () => process.send!({ done: true }),
      (error: Error) => process.send!({ done: false, message: error.message }),
    );
  });
  process.on('disconnect', () => {
    void runner.close();
  });
  process.send!({ done: true });
}
