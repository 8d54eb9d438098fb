import { randomUUID } from 'node:crypto';
import fc from 'fast-check';

/** One event of a person in a sequence. Persons are numbers, and `ref` is the owner of the link. */
export type ReferralEvent =
  | { kind: 'created'; person: number; ref: number; delivery: number }
  | { kind: 'forged'; person: number; ref: number }
  | { kind: 'track'; person: number; ref: number }
  | { kind: 'complete'; person: number }
  | { kind: 'connect'; person: number; by: 'bank' | 'brokerage' };

/** Events of a few persons. Events of one group happen at once, in both processes. */
interface ReferralSequence {
  /** Age of each person's account in hours, within the provider's 28 hours of retries. */
  hours: readonly number[];
  /** For each person, the owner of the link in the metadata that the provider returns. */
  carriedRefs: readonly number[];
  groups: readonly (readonly ReferralEvent[])[];
}

const PERSONS = 4;

const person = fc.nat({ max: PERSONS - 1 });

const event: fc.Arbitrary<ReferralEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('created' as const), person, ref: person, delivery: fc.nat(1) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forged' as const), person, ref: person }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('track' as const), person, ref: person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('complete' as const), person }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('connect' as const),
      person,
      by: fc.constantFrom('bank' as const, 'brokerage' as const),
    }),
  },
);

/** Shuffled, repeated, delayed and forged events, some of them at once. */
export const referralSequence: fc.Arbitrary<ReferralSequence> = fc
  .record({
    hours: fc.array(fc.double({ min: 0, max: 28, noNaN: true }), { minLength: PERSONS, maxLength: PERSONS }),
    carriedRefs: fc.array(person, { minLength: PERSONS, maxLength: PERSONS }),
    events: fc.array(event, { minLength: 4, maxLength: 10 }),
    again: fc.array(fc.nat(), { maxLength: 3 }),
    cuts: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 13, maxLength: 13 }),
  })
  .chain(({ hours, carriedRefs, events, again: duplicates, cuts: groupSizes }) =>
    fc
      .shuffledSubarray([...events, ...duplicates.map((index) => events[index % events.length]!)], {
        minLength: events.length,
      })
      .map((shuffled) => ({ hours, carriedRefs, groups: splitGroups(shuffled, groupSizes) })),
  );

function splitGroups(events: readonly ReferralEvent[], sizes: readonly number[]): ReferralEvent[][] {
  const groups: ReferralEvent[][] = [];
  let from = 0;
  for (const size of sizes) {
    if (from >= events.length) break;
    groups.push(events.slice(from, from + size));
    from += size;
  }
  return groups;
}

/** Returns unique identifiers and links for a sequence's persons. */
export function createPersonIds(): { ids: string[]; tag: string } {
  const tag = randomUUID().replaceAll('-', '');
  return { ids: Array.from({ length: PERSONS }, (_, index) => `user_${tag}${index}`), tag };
}
