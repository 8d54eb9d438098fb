import type { ServiceSql } from '../database/roles.ts';
import type { Schedule, Tasks } from '../jobs/task.ts';
import { deleteExpired } from './conversations/queries.ts';

const TIDY = 'tidy-assistant';

/** Conversations past their 30 days go at night; until then no route shows them. */
export const assistantSchedules: readonly Schedule[] = [{ task: TIDY, match: '23 3 * * *', backfillMinutes: 600 }];

export const assistantTasks = (sql: ServiceSql): Tasks => ({ [TIDY]: () => deleteExpired(sql) });
