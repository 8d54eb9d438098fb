import type { Answer } from './port.ts';

/**
 * Asks one question after the other. `null` stands for those of which the provider knows nothing; where that is all of them, so does the
 * whole. Any other refusal ends the questions and comes along as `rest`: what came before it is worth more than a clean failure. That
 * nothing was known of the first ones is such an answer too where the calls ran out: they had their turn.
 */
export async function askEach<Q, T>(
  questions: readonly Q[],
  ask: (question: Q) => Promise<Answer<T>>,
): Promise<Answer<Map<Q, T | null>>> {
  const answers = new Map<Q, T | null>();
  let known = 0;
  for (const question of questions) {
    const answer = await ask(question);
    if (!answer.ok && answer.reason !== 'unknown') {
      const ranOut = answer.reason === 'budget' || answer.reason === 'rate_limited';
      return known > 0 || (ranOut && answers.size > 0) ? { ok: true, value: answers, rest: answer } : answer;
    }
    if (answer.ok) known += 1;
    answers.set(question, answer.ok ? answer.value : null);
  }
  return known > 0 ? { ok: true, value: answers } : { ok: false, reason: 'unknown' };
}
