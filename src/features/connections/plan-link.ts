import type { LinkedItem, Portfolio } from './aggregator.ts';
import type { ExistingConnection } from './queries.ts';

/** Maximum length of stored account names. */
const MAX_STORED_NAME = 120;

type NamedAccount = Pick<LinkedItem['accounts'][number], 'name' | 'mask'>;

/**
 * Plan for a linked item compared with the member's connections. `connect`: create a connection. `replace`: the new
 * access replaces that of the connection. `repeat`: nothing is new, so the token is not exchanged.
 */
export type LinkPlan =
  | { action: 'connect' }
  | { action: 'replace'; connection: ExistingConnection }
  | { action: 'repeat'; connection: ExistingConnection };

/** Returns the plan. `isConnectionRevoked` asks the institution, and `isKeyLost` tells that no access is left here. */
export async function planLink(
  existing: readonly ExistingConnection[],
  linkedItem: LinkedItem,
  {
    isConnectionRevoked,
    isKeyLost,
  }: Record<'isConnectionRevoked' | 'isKeyLost', (connection: ExistingConnection) => Promise<boolean>>,
): Promise<LinkPlan> {
  const sameConnection = existing.find(({ external_id: externalId }) => externalId === linkedItem.externalId);
  if (sameConnection) return { action: 'repeat', connection: sameConnection };
  const connectionsAtInstitution = existing.filter((connection) => isAtInstitution(connection, linkedItem.institution));
  const overlapping = connectionsAtInstitution.find((connection) =>
    connection.accounts.some((account) => isIncludedIn(account, linkedItem.accounts)),
  );
  if (overlapping) {
    const isNewAccount = (account: NamedAccount): boolean =>
      !connectionsAtInstitution.some((connection) => isIncludedIn(account, connection.accounts));
    if (linkedItem.replacesExisting || (await isKeyLost(overlapping)))
      return { action: 'replace', connection: overlapping };
    if (!linkedItem.accounts.some(isNewAccount)) return { action: 'repeat', connection: overlapping };
    const includesAllAccounts = overlapping.accounts.every((account) => isIncludedIn(account, linkedItem.accounts));
    return includesAllAccounts ? { action: 'replace', connection: overlapping } : { action: 'connect' };
  }
  // Other accounts of one sign-in, if it revoked the older access.
  if (linkedItem.replacesExisting)
    for (const connection of connectionsAtInstitution)
      if (await isConnectionRevoked(connection)) return { action: 'replace', connection };
  return { action: 'connect' };
}

/** Returns the accounts of a connection that a new reading lacks. */
export const findMissingAccounts = (
  connection: ExistingConnection,
  accounts: readonly NamedAccount[],
): NamedAccount[] => connection.accounts.filter((account) => !isIncludedIn(account, accounts));

/** Returns a reading without the accounts that another connection to the institution already has. */
export function excludeExistingAccounts(
  portfolio: Portfolio,
  institution: LinkedItem['institution'],
  otherConnections: readonly ExistingConnection[],
): Portfolio {
  const existingAccounts = otherConnections
    .filter((connection) => isAtInstitution(connection, institution))
    .flatMap(({ accounts }) => accounts);
  // Without digits, two accounts with one name may be distinct.
  const accounts = portfolio.accounts.filter(
    (account) => account.mask === null || !isIncludedIn(account, existingAccounts),
  );
  const ids = new Set(accounts.map(({ externalId }) => externalId));
  const holdings = portfolio.holdings?.filter(({ accountId }) => ids.has(accountId)) ?? null;
  return { ...portfolio, accounts, holdings };
}

const isAtInstitution = (connection: ExistingConnection, institution: LinkedItem['institution']): boolean =>
  connection.institution_id === null || institution.id === null
    ? connection.institution === institution.name
    : connection.institution_id === institution.id;

const isIncludedIn = (account: NamedAccount, others: readonly NamedAccount[]): boolean =>
  others.some(
    ({ name, mask }) =>
      name.slice(0, MAX_STORED_NAME) === account.name.slice(0, MAX_STORED_NAME) && mask === account.mask,
  );
