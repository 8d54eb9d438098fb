import { z } from 'zod';
import { defineRoutes, namedObject } from '../../platform/http/contract.ts';

const sampleTicket = namedObject('SampleTicket', {
  ticket: z.string().describe('Sign-in token of the read-only sample user. It works once, for one minute.'),
});

/** Page of the operator. */
export const siteDocumentName = z.enum(['privacy', 'terms']);
export type SiteDocumentName = z.infer<typeof siteDocumentName>;

const siteDocument = namedObject('SiteDocument', {
  title: z.string(),
  html: z.string().describe('Rendered from Markdown. It contains no scripts, styles, pictures or HTML of the author.'),
  source: z.enum(['operator', 'default']).describe('`default`: the operator has published no text.'),
});
export type SiteDocument = z.infer<typeof siteDocument>;

export const routes = defineRoutes(
  {
    tag: { name: 'Site', description: 'What visitors may open without an account.' },
    access: 'public',
  },
  {
    getSiteDocument: {
      endpoint: 'GET /api/site/documents/{name}',
      summary: 'Get the privacy or terms page',
      description: 'The text of `PRIVACY_FILE` or `TERMS_FILE`, or a default text without the setting.',
      params: z.object({ name: z.string().describe('`privacy` or `terms`.') }),
      responses: { 200: siteDocument },
      errors: ['NOT_FOUND'],
    },
    openSamplePortfolio: {
      endpoint: 'POST /api/sample-portfolio',
      summary: 'Open the sample portfolio',
      description:
        'Returns a sign-in token of the read-only sample user, to redeem at the identity provider. Sessions of this ' +
        'user change nothing: every write returns 403 `DEMO_MODE`. 404 if the deployment has no sample user.',
      responses: { 201: sampleTicket },
      errors: ['NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE'],
    },
  },
);
