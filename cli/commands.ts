import { billingCommand, plansCommand } from '../src/features/billing/cli.ts';
import { membersCommand } from '../src/platform/identity/members-cli.ts';
import { revenueCommand } from '../src/features/billing/revenue-cli.ts';
import type { Command, ProgramIo } from '../src/command-line.ts';
import { loadConfig, loadOperatorSettings } from '../src/config/load-config.ts';
import { assistantCommand } from '../src/features/assistant/cli.ts';
import { connectionsCommand } from '../src/features/connections/cli.ts';
import { demoAccessCommand, demoAccountCommand } from '../src/features/demo-access/cli.ts';
import { flagsCommand } from '../src/platform/feature-flags/cli.ts';
import { jobsCommand } from '../src/platform/jobs/cli.ts';
import { withDatabase, withFeatures } from '../src/main.ts';
import { marketCommand } from '../src/market-data/cli.ts';
import { referralsCommand } from '../src/features/referrals/cli.ts';
import { countCommand, keysCommand } from '../src/features/token-api/cli.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import { doctorCommand } from './doctor.ts';
import { migrateCommand } from './migrate.ts';
import { secretsCommand } from './secrets.ts';
import { startCommand } from './start.ts';
import { workerCommand } from './worker.ts';

/** Every subcommand, in the order of the overview. */
export const commands: readonly Command<ProgramIo>[] = [
  startCommand,
  migrateCommand,
  workerCommand,
  doctorCommand,
  backupCommand,
  restoreCommand,
  secretsCommand,
  countCommand,
  keysCommand((work) => withDatabase(loadConfig(), work)),
  demoAccessCommand(loadOperatorSettings),
  demoAccountCommand({
    readDeployment: loadOperatorSettings,
    reset: (options) => withFeatures(loadConfig(), ({ demoData }) => demoData.reset(options)),
  }),
  connectionsCommand((work) => withFeatures(loadConfig(), ({ connections }) => work(connections))),
  marketCommand((work) => withFeatures(loadConfig(), ({ market }) => work(market))),
  referralsCommand((work) => withFeatures(loadConfig(), ({ referrals }) => work(referrals))),
  billingCommand((work) => withDatabase(loadConfig(), work)),
  revenueCommand((work) => withDatabase(loadConfig(), work)),
  plansCommand((work) => withDatabase(loadConfig(), work)),
  membersCommand((work) =>
    withFeatures(loadConfig(), ({ list, identity, billing }, { service: sql }) =>
      work({ sql, owners: list, identityProvider: identity.provider, billing }),
    ),
  ),
  assistantCommand((work) => withDatabase(loadConfig(), work)),
  flagsCommand((work) => withDatabase(loadConfig(), work)),
  jobsCommand((work) => withDatabase(loadConfig(), work)),
];
