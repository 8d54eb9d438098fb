import type { Feature } from '../../feature.ts';
import type { ServiceSql } from '../database/roles.ts';
import { deleteMember } from './delete-member.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { isMember, type ListedMember, listMembers } from './queries.ts';

/** Maximum number of members in one page. */
export const MAX_MEMBERS_PER_PAGE = 100;

export interface MemberManagementDependencies {
  sql: ServiceSql;
  provider: Pick<IdentityProvider, 'accounts' | 'countActiveSessions' | 'deleteUser'>;
  owners: readonly Pick<Feature, 'onUserDeleted'>[];
  /** Returns the tier of each member. */
  readTiers(idpIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

interface ManagedMember extends Omit<ListedMember, 'created_at'> {
  tier: string;
  /** Active sessions, or null if the provider did not tell. */
  sessions: number | null;
  /** An account that cannot be deleted. */
  reserved: 'demo' | 'sample' | null;
  created_at: string;
}

interface MemberPage {
  members: ManagedMember[];
  /** Identifier that the next page follows, or null at the end. */
  next: string | null;
}

/** `external_provider`: the account must be deleted at the identity provider, whose event deletes the member here. */
export type Removal = 'done' | 'not_found' | 'demo_account' | 'sample_user' | 'external_provider';

/** Returns the operator's functions on members, for the command line and the operator's page. */
export const createMemberManagement = (deps: MemberManagementDependencies) => ({
  list: (query: { search?: string | undefined; after?: string | undefined; limit: number }) => list(deps, query),
  remove: (idpId: string) => remove(deps, idpId),
});

async function list(
  { sql, provider, readTiers }: MemberManagementDependencies,
  { search, after, limit }: { search?: string | undefined; after?: string | undefined; limit: number },
): Promise<MemberPage> {
  const size = Math.min(limit, MAX_MEMBERS_PER_PAGE);
  const rows = await listMembers(sql, { search, after, limit: size + 1 });
  const page = rows.slice(0, size);
  const ids = page.map((row) => row.idp_id);
  const [tiers, sessions] = await Promise.all([readTiers(ids), provider.countActiveSessions(ids)]);
  const members = page.map((row) => ({
    idp_id: row.idp_id,
    email: row.email,
    tier: tiers.get(row.idp_id) ?? 'free',
    sessions: sessions.get(row.idp_id) ?? null,
    reserved: getReservedKind(provider, row.idp_id),
    created_at: row.created_at.toISOString(),
  }));
  return { members, next: rows.length > size ? page.at(-1)!.idp_id : null };
}

function getReservedKind({ accounts }: MemberManagementDependencies['provider'], idpId: string) {
  if (idpId === accounts.demoAccountId) return 'demo' as const;
  return idpId === accounts.sampleUserId ? ('sample' as const) : null;
}

/** Deletes the account at the provider, then the member with all rows. A repeated call completes a failed one. */
async function remove({ sql, provider, owners }: MemberManagementDependencies, idpId: string): Promise<Removal> {
  const reserved = getReservedKind(provider, idpId);
  if (reserved !== null) return reserved === 'demo' ? 'demo_account' : 'sample_user';
  if (!(await isMember(sql, idpId))) return 'not_found';
  if ((await provider.deleteUser(idpId)) === 'external_provider') return 'external_provider';
  await sql.transaction((transaction) => deleteMember(transaction, idpId, owners));
  return 'done';
}
