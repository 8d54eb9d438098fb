import { randomBytes } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ReservedAccounts } from '../../platform/identity/member.ts';
import { upsertMember } from '../../platform/identity/queries.ts';
import type { SeededPeople } from '../../feature.ts';
import { NO_DEVICE, type ProviderContext } from './context.ts';
import { createUser } from './create-user.ts';
import { hashPassword, OPERATOR } from './passwords.ts';
import type { UserRow } from './rows.ts';
import { findUserByEmail, findUserByRole, overwritePassword, UNFINISHED_FIRST_RUN } from './user-queries.ts';

/**
 * Creates the accounts of the first run as users and members: one per tier, the shared demo account, and the sample
 * user unless it is hidden. A repeated call creates no duplicates, and gives the members new passwords. `endFirstRun`
 * tells that nothing is missing.
 */
export async function seedPeople({
  sql,
  keys,
  accounts,
}: Pick<ProviderContext, 'sql' | 'keys' | 'accounts'>): Promise<SeededPeople> {
  await keys.instanceId();

  const seedPerson = async (email: string, password: string | null, role: string): Promise<UserRow> => {
    const password_hash = password === null ? null : await hashPassword(password, OPERATOR);
    return sql.transaction(async (tx) => {
      const existing = await findUserByEmail(tx, email);
      if (existing && password_hash !== null) await overwritePassword(tx, existing.id, password_hash);
      const person = { email, password_hash, private_metadata: { role, ...UNFINISHED_FIRST_RUN } };
      const user = existing ?? (await createUser(tx, { keys }, person, NO_DEVICE));
      if (!user) throw new Error(`The first run cannot create ${email}.`);
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
  const sample = accounts.hidesSample ? undefined : await seedPerson('sample@example.com', null, 'sample');
  return { members, demoAccountIdpUserId: demo.id, sampleUserIdpUserId: sample?.id };
}

/** Returns the accounts with special rules: those of the settings, else those of the first run. */
export async function findReservedAccounts(
  sql: ServiceSql,
  { demoAccountId, sampleUserId, hidesSample }: Partial<ReservedAccounts>,
): Promise<ReservedAccounts> {
  const [demo, sample] = await Promise.all([findUserByRole(sql, 'demo'), findUserByRole(sql, 'sample')]);
  return {
    demoAccountId: demoAccountId ?? demo?.id,
    sampleUserId: sampleUserId ?? sample?.id,
    ...(hidesSample && { hidesSample }),
  };
}
