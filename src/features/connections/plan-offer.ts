import type { Offer, Portfolio } from './aggregator.ts';
import type { KnownConnection } from './queries.ts';

/** Names of accounts are stored so long. */
const MAX_STORED_NAME = 120;

type NamedAccount = Pick<Offer['accounts'][number], 'name' | 'mask'>;

/**
 * What a sign-in that was offered means beside the connections that are there. `connect`: a connection of its own;
 * `replace`: its access takes the place of that connection's; `repeat`: nothing is new, so nothing is spent.
 */
export type OfferPlan =
  | { action: 'connect' }
  | { action: 'replace'; connection: KnownConnection }
  | { action: 'repeat'; connection: KnownConnection };

/** `hasEnded` asks the institution whether it has ended a connection's access. */
export async function planOffer(
  known: readonly KnownConnection[],
  offer: Offer,
  hasEnded: (connection: KnownConnection) => Promise<boolean>,
): Promise<OfferPlan> {
  const same = known.find(({ external_id: externalId }) => externalId === offer.externalId);
  if (same) return { action: 'repeat', connection: same };
  const atInstitution = known.filter((one) => isAt(one, offer.institution));
  const older = atInstitution.find((one) => one.accounts.some((account) => isAmong(account, offer.accounts)));
  if (older) {
    const isNew = (account: NamedAccount): boolean => !atInstitution.some((one) => isAmong(account, one.accounts));
    if (offer.endsOlder) return { action: 'replace', connection: older };
    if (!offer.accounts.some(isNew)) return { action: 'repeat', connection: older };
    const hasAll = older.accounts.every((account) => isAmong(account, offer.accounts));
    return hasAll ? { action: 'replace', connection: older } : { action: 'connect' };
  }
  // Other accounts of the same sign-in, where that has ended the older access.
  if (offer.endsOlder)
    for (const connection of atInstitution) if (await hasEnded(connection)) return { action: 'replace', connection };
  return { action: 'connect' };
}

/** Accounts of a connection that a new reading does not have. */
export const missingIn = (connection: KnownConnection, accounts: readonly NamedAccount[]): NamedAccount[] =>
  connection.accounts.filter((account) => !isAmong(account, accounts));

/** A reading without the accounts that another connection to the same institution brings already. */
export function withoutKnown(
  portfolio: Portfolio,
  institution: Offer['institution'],
  others: readonly KnownConnection[],
): Portfolio {
  const known = others.filter((one) => isAt(one, institution)).flatMap(({ accounts }) => accounts);
  // Without digits two accounts of one name may well be two.
  const accounts = portfolio.accounts.filter((account) => account.mask === null || !isAmong(account, known));
  const ids = new Set(accounts.map(({ externalId }) => externalId));
  const holdings = portfolio.holdings?.filter(({ accountId }) => ids.has(accountId)) ?? null;
  return { ...portfolio, accounts, holdings };
}

const isAt = (connection: KnownConnection, institution: Offer['institution']): boolean =>
  connection.institution_id === null || institution.id === null
    ? connection.institution === institution.name
    : connection.institution_id === institution.id;

const isAmong = (account: NamedAccount, others: readonly NamedAccount[]): boolean =>
  others.some(
    ({ name, mask }) =>
      name.slice(0, MAX_STORED_NAME) === account.name.slice(0, MAX_STORED_NAME) && mask === account.mask,
  );
