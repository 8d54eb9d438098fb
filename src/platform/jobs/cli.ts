import {
  type CommandOutput,
  createSubcommands,
  defineSubcommand,
  exitCode,
  formatMinute,
  formatTable,
  type WithResource,
} from '../../command-line.ts';
import type { Database } from '../database/connect.ts';
import type { ServiceSql } from '../database/roles.ts';
import { rescheduleJobs, selectStuckJobs, type StuckJob } from './queries.ts';

const MAX_JOBS = 200;
/** Ids are 64-bit integers of PostgreSQL. */
const JOB_ID = /^[1-9]\d{0,17}$/;

/** Defines `tally jobs list|retry`, for jobs that failed or wait too long. */
export const jobsCommand = (withDatabase: WithResource<Database>) =>
  createSubcommands({
    name: 'jobs',
    summary: 'Show failed and overdue jobs, and run them again',
    help: `tally jobs list [--json]
tally jobs retry ID... | --failed

list   shows jobs that failed at their last attempt, and jobs that are due for a minute and have not started, at
       most ${MAX_JOBS}. Overdue jobs mean that no worker runs, or that it has too much to do.
retry  makes these jobs due now, with all their attempts. --failed retries every failed job. Correct the cause first.

Exit codes: 0 done, 1 a job does not exist or is running, 2 usage, 3 the database is unavailable.`,
    subcommands: {
      list: defineSubcommand({ json: 'boolean' }, 'list accepts only --json.', ({ json }, io) =>
        withDatabase(async ({ service }) => {
          const jobs = await selectStuckJobs(service, MAX_JOBS);
          return io.succeed(json ? jobs : formatJobs(jobs));
        }),
      ),
      retry: defineSubcommand(
        { failed: 'boolean', ids: 'rest' },
        'retry needs the ids of jobs, or --failed; see tally jobs list.',
        ({ failed, ids }, io) => {
          if (failed === ids.length > 0) return undefined;
          const wrongId = ids.find((id) => !JOB_ID.test(id));
          if (wrongId !== undefined) return io.usageError(`"${wrongId}" is not the id of a job; see tally jobs list.`);
          return withDatabase(async ({ service }) => retryJobs(service, failed ? await listFailed(service) : ids, io));
        },
      ),
    },
  });

const listFailed = async (sql: ServiceSql): Promise<string[]> =>
  (await selectStuckJobs(sql, MAX_JOBS)).filter(({ state }) => state === 'failed').map(({ id }) => id);

async function retryJobs(sql: ServiceSql, ids: readonly string[], io: CommandOutput): Promise<number> {
  const retried = new Set(await rescheduleJobs(sql, ids));
  const others = ids.filter((id) => !retried.has(id));
  io.out(`${retried.size} ${retried.size === 1 ? 'job' : 'jobs'} will run again.\n`);
  if (others.length > 0) return io.fail(`not retried, since they do not exist or are running: ${others.join(', ')}.`);
  return exitCode.done;
}

function formatJobs(jobs: readonly StuckJob[]): string {
  if (jobs.length === 0) return 'No job has failed or is overdue.\n';
  const cells = jobs.map((job) => [
    job.id,
    job.task,
    job.state,
    `${job.attempts}/${job.max_attempts}`,
    formatMinute(job.run_at),
    job.last_error?.split('\n')[0]?.slice(0, 120) ?? '-',
  ]);
  return formatTable([['id', 'task', 'state', 'attempts', 'due', 'last error'], ...cells]);
}
