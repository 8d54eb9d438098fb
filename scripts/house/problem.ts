/** One broken rule of the house: where, which rule, and a sentence that says why and what to do. */
export interface Problem {
  /** Relative to the root, with forward slashes. */
  path: string;
  /** 1-based; absent where the whole file or tree is meant. */
  line?: number;
  rule: string;
  message: string;
}

/** `src/a.ts:3 [walls] …`, the form that editors turn into a link. */
export function inOneLine({ path, line, rule, message }: Problem): string {
  return `${path}${line === undefined ? '' : `:${line}`} [${rule}] ${message}`;
}
