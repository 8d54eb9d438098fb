/** Faults of a call to the service, each with the sentence that a page shows. */
export const faults = {
  'answers 500': 'Something went wrong on our side',
  'answers 503': 'This is not available right now',
  'never answers': 'Tally took too long to respond',
} as const;
export type Fault = keyof typeof faults;

/** The faults that are responses. */
export const errorResponses = {
  'answers 500': {
    status: 500,
    headers: {},
    json: {
      code: 'INTERNAL',
      message: 'Something went wrong on our side; quote the request id.',
      request_id: 'req_1',
    },
  },
  'answers 503': {
    status: 503,
    headers: { 'retry-after': '5' },
    json: { code: 'UNAVAILABLE', message: 'This is not available right now; try again later.' },
  },
} as const;
