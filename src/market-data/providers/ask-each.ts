import type { Answer } from './port.ts';

/**
 * Asks one question after the other; `null` stands for what the provider does not know, and all unknown is `unknown`.
 * Any other refusal ends the questions and is the `rest` of a partial answer; a partial answer may hold only `null`s
 * where the calls ran out.
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
