import type { Logger } from 'pino';
import type { ServiceSql } from '../platform/database/roles.ts';
import { resetDemoOrThrow } from '../features/demo-access/reset-demo.ts';
import { AppError } from '../errors.ts';
import { isMember } from '../platform/identity/queries.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { TaskName } from '../platform/jobs/task.ts';
import type { SeededAccounts, Feature } from '../feature.ts';

const FILL_FIRST_RUN = 'seed-first-run' as TaskName<SeededAccounts>;

interface FirstRunDataDependencies {
  sql: ServiceSql;
  jobs: Pick<Jobs, 'add'>;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** The features whose seed data needs listings and prices. */
  owners: readonly Feature[];
  /** Source of market data: `simulator`, or the names of the providers. */
  source: string;
}

/**
 * Creates the feature that seeds lists, holdings and demo data on the first run. Simulated market data is used at once.
 * With a market-data provider a job does the work, so the start does not wait. The job is retried until the provider
 * responds.
 */
export function createFirstRunData({ sql, jobs, logger, owners, source }: FirstRunDataDependencies) {
  const seedFromMarket = async (accounts: SeededAccounts): Promise<void> => {
    for (const owner of owners) await owner.seedFromMarket?.(accounts);
    const { demoAccountIdpUserId: demoAccountId, sampleUserIdpUserId: sampleUserId } = accounts;
    if (demoAccountId === undefined) return;
    await resetDemoOrThrow({ sql, owners, accounts: { demoAccountId, sampleUserId } });
  };
  return {
    name: 'first-run-data',
    async seed({ members, ...accounts }) {
      // The payload of a job is stored, so passwords are left out.
      const payload = { ...accounts, members: members.map(({ idp_user_id, tier }) => ({ idp_user_id, tier })) };
      if (source === 'simulator') return seedFromMarket(payload);
      // With a hosted identity provider no accounts are created, so there is nothing to seed.
      if (accounts.demoAccountIdpUserId === undefined) return;
      await jobs.add(FILL_FIRST_RUN, payload, { key: FILL_FIRST_RUN });
      logger.info(
        { provider: source },
        'enqueued a job that seeds the first lists and holdings from the market-data provider',
      );
    },
    tasks: {
      [FILL_FIRST_RUN]: async (accounts: SeededAccounts) => {
        // A member may be deleted while the job waits.
        const members: SeededAccounts['members'] = [];
        for (const member of accounts.members) if (await isMember(sql, member.idp_user_id)) members.push(member);
        await seedFromMarket({ ...accounts, members }).catch((error: unknown) => {
          if (error instanceof AppError && error.code === 'UNAVAILABLE')
            logger.warn(
              { provider: source, reason: error.message },
              'market-data provider unavailable; the first lists and holdings are seeded once it responds. ' +
                'Check its key if this continues.',
            );
          throw error;
        });
      },
    },
  } satisfies Feature;
}
