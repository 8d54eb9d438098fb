import type { Schedule, TaskName } from '../jobs/task.ts';
import type { Slice } from '../slice.ts';
import { insertResettable } from './reset-queries.ts';
import {
  type DemoReset,
  type DemoResetDependencies,
  resetDemo,
  resetDemoOrThrow,
  type ResetOptions,
} from './reset-demo.ts';

const RESET_DEMO = 'reset-demo-data' as TaskName<Record<string, never>>;

/** The data that viewers of the demo account see, put back each day at `resetAt` (HH:MM in UTC) or by command alone. */
export function createDemoData(deps: DemoResetDependencies & { resetAt: string | undefined }) {
  const { resetAt } = deps;
  const [hours, minutes] = (resetAt ?? '').split(':').map(Number);
  const daily: Schedule = { task: RESET_DEMO, match: `${minutes} ${hours} * * *`, backfillMinutes: 240 };
  return {
    name: 'demo-data',
    /** Puts the data back at once; see `resetDemo`. */
    reset: (options: ResetOptions = {}): Promise<DemoReset> => resetDemo(deps, options),
    /** The account of the first run was made for this. */
    seed: ({ demoAccountIdpUserId }) => insertResettable(deps.sql, demoAccountIdpUserId),
    tasks: { [RESET_DEMO]: () => resetDemoOrThrow(deps) },
    schedules: resetAt === undefined ? [] : [daily],
  } satisfies Slice & { reset(options?: ResetOptions): Promise<DemoReset> };
}
