import type { ServiceSql } from '../database/roles.ts';
import type { Schedule, TaskName, Tasks } from '../jobs/task.ts';
import { forgetOldSessions } from '../../embedded/identity/session-queries.ts';
import { forgetOldDeliveries } from './queries.ts';

const TIDY = 'tidy-identity' as TaskName<Record<string, never>>;

/** Work that the clock asks of the identity room. */
export function identityTasks(sql: ServiceSql): Tasks {
  return {
    [TIDY]: async () => {
      await forgetOldDeliveries(sql);
      await forgetOldSessions(sql);
    },
  };
}

/** Once a night, in UTC. */
export const identitySchedules: readonly Schedule[] = [{ task: TIDY, match: '17 3 * * *' }];
