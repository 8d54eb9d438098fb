import { z } from 'zod';
import { remarksOn } from './remarks.ts';
import { answerOf, defineTool } from './tool.ts';

const MOST_ROWS = 200;

/** When held and watched companies report. */
export const reportsAheadTool = defineTool({
  name: 'reports_ahead',
  title: 'Reports ahead',
  description:
    'Coming earnings reports of companies that the member holds or watches, by date. `when` is bmo (before the ' +
    'market opens) or amc (after it closes); market_days counts from today, 0 is today; estimated: unconfirmed.',
  inputSchema: z.strictObject({ days: z.int().min(1).max(90).default(90).describe('Calendar days ahead.') }),
  async run(context, { days }) {
    const { earnings, complete, sample_data: sample } = await context.reportsAhead();
    const last = new Date(context.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
    const coming = earnings.filter(({ date }) => date <= last);
    return answerOf(
      ['symbol', 'name', 'date', 'when', 'market_days', 'eps_estimate', 'estimated', 'held', 'watching'],
      coming.slice(0, MOST_ROWS),
      { truncated: coming.length > MOST_ROWS, notes: remarksOn({ complete, sample }) },
    );
  },
});
