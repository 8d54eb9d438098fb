import { z } from 'zod';
import { AHEAD_DAYS } from '../../../market-data/services/earnings/list-reports.ts';
import { createRemarks } from './remarks.ts';
import { createRecordsResult, defineTool } from './tool.ts';

const MAX_ROWS = 200;

/** Tool that returns the upcoming earnings of held and watched companies. */
export const reportsAheadTool = defineTool({
  name: 'reports_ahead',
  title: 'Upcoming earnings',
  description:
    'Coming earnings reports of companies that the member holds or watches, by date. `when` is bmo (before the ' +
    'market opens) or amc (after it closes); market_days counts from today, 0 is today; estimated: unconfirmed.',
  inputSchema: z.strictObject({
    days: z.int().min(1).max(AHEAD_DAYS).default(AHEAD_DAYS).describe('Calendar days ahead.'),
  }),
  async run(context, { days }) {
    const { earnings, complete, sample_data: sample } = await context.getUpcomingReports();
    const lastDate = new Date(context.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
    const upcoming = earnings.filter(({ date }) => date <= lastDate);
    return createRecordsResult(
      [
        'symbol',
        'name',
        'date',
        'when',
        'market_days',
        'eps_estimate',
        'eps_currency',
        'estimated',
        'held',
        'watching',
      ],
      upcoming.slice(0, MAX_ROWS),
      { truncated: upcoming.length > MAX_ROWS, notes: createRemarks({ complete, sample }) },
    );
  },
});
