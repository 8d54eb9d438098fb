import type { LinkedItem, Portfolio } from './aggregator.ts';
import type { ExistingConnection } from './queries.ts';

/** Names of accounts are stored so long. */
const MAX_STORED_NAME = 120;

type NamedAccount = Pick<LinkedItem['accounts'][number], 'name' | 'mask'>;

/**
 * What a sign-in that was offered means beside the connections that are there. `connect`: a connection of its own;
 * `replace`: its access takes the place of that connection's; `repeat`: nothing is new, so nothing is spent.
 */
export type LinkPlan =
  | { action: 'connect' }
  | { action: 'replace'; connection: ExistingConnection }
  | { action: 'repeat'; connection: ExistingConnection };

/** `hasEnded` asks the institution whether it has ended a connection's access. */
export async function planLink(
  existing: readonly ExistingConnection[],
  linkedItem: LinkedItem,
  isConnectionRevoked: (connection: ExistingConnection) => Promise<boolean>,
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
    if (linkedItem.replacesExisting) return { action: 'replace', connection: overlapping };
    if (!linkedItem.accounts.some(isNewAccount)) return { action: 'repeat', connection: overlapping };
    const includesAllAccounts = overlapping.accounts.every((account) => isIncludedIn(account, linkedItem.accounts));
    return includesAllAccounts ? { action: 'replace', connection: overlapping } : { action: 'connect' };
  }
  // Other accounts of the same sign-in, where that has ended the older access.
  if (linkedItem.replacesExisting)
    for (const connection of connectionsAtInstitution)
      if (await isConnectionRevoked(connection)) return { action: 'replace', connection };
  return { action: 'connect' };
}

/** Accounts of a connection that a new reading does not have. */
export const findMissingAccounts = (
  connection: ExistingConnection,
  accounts: readonly NamedAccount[],
): NamedAccount[] => connection.accounts.filter((account) => !isIncludedIn(account, accounts));

/** A reading without the accounts that another connection to the same institution brings already. */
export function excludeExistingAccounts(
  portfolio: Portfolio,
  institution: LinkedItem['institution'],
  otherConnections: readonly ExistingConnection[],
): Portfolio {
  const existingAccounts = otherConnections
    .filter((connection) => isAtInstitution(connection, institution))
    .flatMap(({ accounts }) => accounts);
  // Without digits two accounts of one name may well be two.
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
