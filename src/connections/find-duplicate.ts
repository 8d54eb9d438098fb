import type { Offer } from './aggregator.ts';
import type { KnownConnection } from './queries.ts';

/**
 * The connection that an offer repeats: the very one, or of the same institution with an account of the same name and
 * last digits. Redeemed, it would be paid for twice, and some institutions end the older access.
 */
export function findDuplicate(known: readonly KnownConnection[], offer: Offer): KnownConnection | undefined {
  const { institution, accounts, externalId } = offer;
  const same = known.find((connection) => connection.external_id === externalId);
  if (same) return same;
  return known.find(
    (connection) =>
      (institution.id === null || connection.institution_id === null
        ? institution.name === connection.institution
        : institution.id === connection.institution_id) &&
      connection.accounts.some((mine) =>
        accounts.some(({ name, mask }) => cut(name) === mine.name && mask === mine.mask),
      ),
  );
}

/** Names are stored so long. */
const cut = (name: string): string => name.slice(0, 120);
