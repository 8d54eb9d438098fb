import { selectMemberTiers, selectTiers, setGrant } from '../../src/features/billing/queries.ts';
import type { ServiceSql } from '../../src/platform/database/roles.ts';
import type { IdentityProvider } from '../../src/platform/identity/identity-provider.ts';
import { membersCommand } from '../../src/platform/identity/members-cli.ts';
import type { Feature } from '../../src/feature.ts';

/** Creates `tally members` on a database, with billing's tiers. */
export const createMembersCommand = (
  sql: ServiceSql,
  identityProvider: IdentityProvider,
  owners: readonly Pick<Feature, 'memberRows' | 'onUserDeleted'>[] = [],
) =>
  membersCommand((work) =>
    work({
      sql,
      owners,
      identityProvider,
      billing: {
        getTierParts: (idpId) => selectMemberTiers(sql, idpId),
        getTiers: (idpIds) => selectTiers(sql, idpIds),
        setTier: (idpId, tier) => setGrant(sql, idpId, tier),
      },
    }),
  );
