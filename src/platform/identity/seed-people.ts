import { randomBytes } from 'node:crypto';
import type { ServiceSql } from '../database/roles.ts';
import type { SeededPeople } from '../../slice.ts';
import { NO_DEVICE } from '../../embedded/identity/context.ts';
import { createUser } from '../../embedded/identity/create-user.ts';
import { hashPassword } from '../../embedded/identity/passwords.ts';
import type { UserRow } from '../../embedded/identity/rows.ts';
import { createKeyRing } from '../../embedded/identity/signing-keys.ts';
import { findUserByEmail, findUserByRole, overwritePassword } from '../../embedded/identity/user-queries.ts';
import type { SpecialAccounts } from './member.ts';
import { upsertMember } from './queries.ts';

interface EmbeddedPeople extends SeededPeople {
  demoAccountIdpUserId: string;
  sampleUserIdpUserId: string;
}

/**
 * The people of the first run, in the embedded provider and as members: one per tier, the shared demo account, the
 * sample user. A repetition makes no second of them; the members get new passwords.
 */
export async function seedPeople(sql: ServiceSql): Promise<EmbeddedPeople> {
  const keys = createKeyRing(sql);
  await keys.instanceId();

  const seedPerson = async (email: string, password: string | null, role: string): Promise<UserRow> => {
    const password_hash = password === null ? null : await hashPassword(password);
    return sql.transaction(async (tx) => {
      const known = await findUserByEmail(tx, email);
      if (known && password_hash !== null) await overwritePassword(tx, known.id, password_hash);
      const person = { email, password_hash, private_metadata: { role } };
      const user = known ?? (await createUser(tx, { keys }, person, NO_DEVICE));
      if (!user) throw new Error(`The first run cannot make ${email}.`);
      await upsertMember(tx, {
        idpId: user.id,
        email,
        createdAt: new Date(user.created_at),
        updatedAt: new Date(user.updated_at),
      });
      return user;
    });
  };

  const members: SeededPeople['members'] = [];
  for (const tier of ['free', 'pro', 'max'] as const) {
    const email = `${tier}@example.com`;
    const password = randomBytes(12).toString('base64url');
    members.push({ idp_user_id: (await seedPerson(email, password, 'member')).id, email, password, tier });
  }
  const demo = await seedPerson('demo@example.com', null, 'demo');
  const sample = await seedPerson('sample@example.com', null, 'sample');
  return { members, demoAccountIdpUserId: demo.id, sampleUserIdpUserId: sample.id };
}

/** The accounts with special rules: those that the settings name; beside the embedded provider else the seeded ones. */
export async function findSpecialAccounts(
  sql: ServiceSql,
  { embedded, demoAccountId, sampleUserId }: Partial<SpecialAccounts> & { embedded: boolean },
): Promise<SpecialAccounts> {
  if (!embedded) return { demoAccountId, sampleUserId };
  const [demo, sample] = await Promise.all([findUserByRole(sql, 'demo'), findUserByRole(sql, 'sample')]);
  return { demoAccountId: demoAccountId ?? demo?.id, sampleUserId: sampleUserId ?? sample?.id };
}
