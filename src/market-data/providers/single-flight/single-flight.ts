import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import { leaseQuestion, readQuestion, settleQuestion } from './lease-queries.ts';

interface Question<T> {
  /** The same for the same question, such as `lookup:AAPL`. */
  name: string;
  ask(): Promise<T>;
  /** Milliseconds for which an answer is good for all processes; 0 for one that must not be kept. Default 0. */
  keepFor?(answer: T): number;
  /** What the process that asks keeps elsewhere, for those that wait; `undefined` as long as it has not. */
  found?(): Promise<T | undefined>;
  /** Milliseconds after which the process that asks counts as gone (default 10,000). */
  leaseMs?: number;
}

/** Asks a question that other processes ask too; answers are JSON. Rejects as `ask` does. */
export type AskOnce = <T>(question: Question<T>) => Promise<T>;

const POLL_MS = 100;

/** Has the calls of this process for one question share it; `askOnce` asks it (default: at once). */
export function shareInFlight(askOnce: AskOnce = ({ ask }) => ask()): AskOnce {
  const inFlight = new Map<string, Promise<unknown>>();
  return <T>(question: Question<T>) => {
    const { name } = question;
    const asked = inFlight.get(name) ?? askOnce(question).finally(() => inFlight.delete(name));
    inFlight.set(name, asked);
    return asked as Promise<T>;
  };
}

/** Shares what is under way, and remembers the last `most` answers of this process as long as they are good. */
export function rememberAnswers(clock: () => number, askOnce?: AskOnce, most = 2_000): AskOnce {
  const remembered = new Map<string, { answer: unknown; until: number }>();
  const share = shareInFlight(askOnce);
  return async <T>(question: Question<T>) => {
    const { name, keepFor = () => 0 } = question;
    const known = remembered.get(name);
    if (known && known.until > clock()) return known.answer as T;
    const answer = await share(question);
    const keepMs = keepFor(answer);
    if (keepMs > 0) {
      // First, so that a renewed answer takes no other's place.
      remembered.delete(name);
      if (remembered.size >= most) remembered.delete(remembered.keys().next().value!);
      remembered.set(name, { answer, until: clock() + keepMs });
    }
    return answer;
  };
}

/**
 * Has one process ask for all: it leases the question in the database, the others wait for what it keeps. Where it
 * keeps nothing, is gone, or the database refuses, each asks by itself: as many calls as without this, never none.
 */
export function createAskOnce(sql: ServiceSql, warn: (error: unknown) => void): AskOnce {
  return async ({ name, ask, keepFor = () => 0, found, leaseMs = 10_000 }) => {
    let [leased, known] = [false, undefined as { answer: unknown } | undefined];
    try {
      known = await waitForOthers(name, leaseMs, found);
      if (!known) leased = await leaseQuestion(sql, name, leaseMs);
      // Lost to another in this moment.
      if (!known && !leased) known = await waitForOthers(name, leaseMs, found);
    } catch (error) {
      warn(error);
    }
    if (known) return known.answer as never;
    if (!leased) return ask();
    let keepMs = 0;
    let answer: unknown = null;
    try {
      const told = await ask();
      [answer, keepMs] = [told, keepFor(told)];
      return told;
    } finally {
      await settleQuestion(sql, name, keepMs > 0 ? answer : null, keepMs).catch(warn);
    }
  };

  /** The answer that is known or that another process gets; `undefined` where none is asking. */
  async function waitForOthers(
    name: string,
    leaseMs: number,
    found?: () => Promise<unknown>,
  ): Promise<{ answer: unknown } | undefined> {
    for (const end = performance.now() + leaseMs; performance.now() < end; await sleep(POLL_MS)) {
      const state = await readQuestion(sql, name);
      if (state === undefined) {
        const answer = await found?.();
        return answer === undefined ? undefined : { answer };
      }
      if (state.answer !== null) return { answer: state.answer };
    }
    return undefined;
  }
}
