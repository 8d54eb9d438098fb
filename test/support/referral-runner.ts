import { randomUUID } from 'node:crypto';
import { connectDatabase, type DatabaseUrls } from '../../src/platform/database/connect.ts';
import type { ServiceSql } from '../../src/platform/database/roles.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { checkWebhook } from '../../src/platform/http/signed-webhook.ts';
import { signDelivery, standardWebhooks } from '../../src/platform/http/webhook-schemes/standard-webhooks.ts';
import { recordDelivery, upsertMember } from '../../src/platform/identity/queries.ts';
import { createPersonLookup } from '../../src/features/referrals/look-up-person.ts';
import { markCompleted, recordFirstConnection } from '../../src/features/referrals/mark-completed.ts';
import { getReferralLink } from '../../src/features/referrals/referral-link.ts';
import { trackPublicCall, trackUserCreated } from '../../src/features/referrals/track-signup.ts';
import { WEBHOOK_SECRET } from './identity.ts';
import type { ReferralEvent } from './referral-sequences.ts';

/** A sequence's persons as both processes know them. */
export interface Participants {
  tag: string;
  ids: readonly string[];
  /** Milliseconds since 1970 at which the provider made each. */
  createdAt: readonly number[];
  /** Whose link each person's metadata names when the provider is asked. */
  carried: readonly number[];
}

export type RunEvents = (participants: Participants, events: readonly ReferralEvent[]) => Promise<void>;

const FIXED_PARTICIPANTS = { accounts: { demoAccountId: 'user_demo', sampleUserId: 'user_sample' } };
const SILENT = { countReport: () => {}, countRateLimited: () => {}, countCycle: () => {} };

/** Does events as a process of the service does, on connections of its own; those that are given together at once. */
export function createRunner(urls: DatabaseUrls): { run: RunEvents; close(): Promise<void> } {
  const database = connectDatabase(urls);
  const sql = database.service;
  const scheme = standardWebhooks([WEBHOOK_SECRET]);
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

/** One delivery of the provider, whose id counts once. */
async function deliver(sql: ServiceSql, id: string, handle: (tx: ServiceSql) => Promise<void>): Promise<void> {
  await sql.transaction(async (tx) => {
    if (await recordDelivery(tx, id, 'user.created')) await handle(tx);
  });
}

const createProvider = (
  sql: ServiceSql,
  { ids, createdAt, carried }: Participants,
): Parameters<typeof createPersonLookup>[0] => ({
  async getUser(id) {
    const person = ids.indexOf(id);
    const at = createdAt[person]!;
    const unsafe_metadata = { ref: await getReferralLink(sql, ids[carried[person]!]!) };
    const times = { created_at: at, updated_at: at };
    const value = { object: 'user' as const, id, ...times, banned: false, email_addresses: [], unsafe_metadata };
    return { ok: true, value, traceId: null };
  },
});

// A process of its own: it does what its parent sends and says when it is done, or what went wrong.
if (import.meta.main) {
  const runner = createRunner(JSON.parse(process.argv[2]!) as DatabaseUrls);
  process.on('message', ({ cast, events }: { cast: Participants; events: ReferralEvent[] }) => {
    runner.run(cast, events).then(
      () => process.send!({ done: true }),
      (error: Error) => process.send!({ done: false, message: error.message }),
    );
  });
  process.on('disconnect', () => void runner.close());
  process.send!({ done: true });
}
