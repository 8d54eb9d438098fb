import { z } from 'zod';
import { defineRoutes, namedObject } from '../../platform/http/contract.ts';

const sampleTicket = namedObject('SampleTicket', {
  ticket: z.string().describe('Sign-in token of the read-only sample user. It works once, for one minute.'),
});

export const routes = defineRoutes(
  {
    tag: { name: 'Site', description: 'What visitors may open without an account.' },
    access: 'public',
  },
  {
    openSamplePortfolio: {
      endpoint: 'POST /api/sample-portfolio',
      summary: 'Open the sample portfolio',
      description:
        'Returns a sign-in token of the read-only sample user, to redeem at the identity provider. Sessions of this ' +
        'user change nothing: every write returns 403 `DEMO_MODE`. 404 if the deployment has no sample user.',
      responses: { 201: sampleTicket },
      errors: ['NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE'],
      example: { response: { ticket: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyXzJzYW1wbGUifQ.c2lnbmF0dXJl' } },
    },
  },
);
