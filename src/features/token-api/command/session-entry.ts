import { isObject } from '../validation/problem.ts';

/** A parsed line of a session file of Claude Code. */
export interface Entry {
  line: number;
  value: Record<string, unknown>;
}

/** Model of the messages that Claude Code writes itself, for example after an error of the API. */
const SYNTHETIC_MODEL = '<synthetic>';

/** Returns whether Claude Code wrote the message of a line in place of a response. */
export function isSynthetic({ message }: Record<string, unknown>): boolean {
  return isObject(message) && message['model'] === SYNTHETIC_MODEL;
}
