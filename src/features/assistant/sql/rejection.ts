/** The check that rejected a statement. */
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

/** Thrown by a check; its message tells the author of the statement what to write instead. */
export class SqlRejection extends Error {
  override readonly name = 'SqlRejection';
  readonly rule: Rule;

  constructor(rule: Rule, message: string) {
    super(message);
    this.rule = rule;
  }
}
