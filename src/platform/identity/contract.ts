import { z } from 'zod';
import { defineRoutes, instant, namedObject } from '../http/contract.ts';

const meResponse = z
  .object({
    idp_user_id: z.string(),
    email: z.string().nullable().describe('Null until the provider’s user-created event has arrived.'),
    is_demo_account: z
      .boolean()
      .describe('The shared demo account: it may read and edit, but not change credentials, plans or connections.'),
    is_sample_user: z.boolean().describe('The read-only sample portfolio user: every write is rejected.'),
  })
  .meta({ id: 'SignedInMember', description: 'The signed-in member.' });

const memberExport = namedObject('MemberExport', {
  format: z.literal('tally-member-1'),
  exported_at: instant,
  idp_id: z.string(),
  left_out: z.record(z.string(), z.string()).describe('Reason by table, or by table and column.'),
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).describe('Rows by table.'),
});

export const routes = defineRoutes(
  { tag: { name: 'Identity', description: 'The signed-in member.' } },
  {
    getMe: {
      endpoint: 'GET /api/me',
      summary: 'Get the signed-in member',
      responses: { 200: meResponse },
    },
    exportMember: {
      endpoint: 'GET /api/me/export',
      summary: 'Download everything that is stored about the member',
      description:
        'One JSON file with every row of the member by table. `left_out` names what is omitted, with the reason. ' +
        'Ten files an hour. Requires a sign-in within ten minutes.',
      responses: { 200: { description: 'The JSON file.', jsonFile: memberExport } },
      errors: ['DEMO_ACCOUNT', 'SESSION_REVERIFICATION_REQUIRED'],
    },
  },
);
