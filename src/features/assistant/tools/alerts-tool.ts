import { z } from 'zod';
import { createRemarks } from './remarks.ts';
import { createRecordsResult, defineTool } from './tool.ts';

/** Tool that returns the member's price alerts. */
export const alertsTool = defineTool({
  name: 'price_alerts',
  title: 'Price alerts',
  description:
    'The member’s price alerts. state `waiting`: it fires at a price `above` or `below` the threshold, or at a day’s ' +
    '`move` of that many percent. state `fired`: with the price that fired it and the times. Notes are the member’s ' +
    'own words.',
  inputSchema: z.strictObject({}),
  async run(context) {
    const { alerts, fired } = await context.getAlerts();
    const records = [
      ...alerts.map((alert) => ({ ...alert, state: 'waiting', price: null, price_at: null, fired_at: null })),
      ...fired.map((alert) => ({
        ...alert,
        state: 'fired',
        repeats: null,
        price_at: alert.price_at.toISOString(),
        fired_at: alert.fired_at.toISOString(),
      })),
    ];
    return createRecordsResult(
      ['state', 'symbol', 'kind', 'threshold', 'currency', 'repeats', 'note', 'price', 'price_at', 'fired_at'],
      records,
      { notes: createRemarks({ sample: fired.some(({ sample }) => sample) }) },
    );
  },
});
