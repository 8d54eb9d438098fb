/** Name of the check that rejected a statement. */
export type Rule =
  | 'text'
  | 'syntax'
  | 'shape'
  | 'size'
  | 'function'
  | 'operator'
  | 'type'
  | 'value'
  | 'name'
  | 'weight';

/** Thrown by a check. The message tells the author of the statement how to rewrite it. */
export class SqlRejection extends Error {
  override readonly name = 'SqlRejection';
  readonly rule: Rule;

  constructor(rule: Rule, message: string) {
    super(message);
    this.rule = rule;
  }
}
