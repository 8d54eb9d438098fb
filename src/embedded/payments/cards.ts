/** Test cards with their result at the first charge and at renewal. */
export const CARDS = {
  '4242': { label: 'Card ending in 4242: payment succeeds', now: null, later: null },
  '0002': { label: 'Card ending in 0002: declined', now: 'card_declined', later: 'card_declined' },
  '9995': {
    label: 'Card ending in 9995: insufficient funds',
    now: 'insufficient_funds',
    later: 'insufficient_funds',
  },
  '0341': { label: 'Card ending in 0341: payment succeeds, renewals are declined', now: null, later: 'card_declined' },
  '0259': { label: 'Card ending in 0259: payment succeeds and is disputed', now: null, later: null },
} as const satisfies Record<string, { label: string; now: string | null; later: string | null }>;

export type CardName = keyof typeof CARDS;
