/** The guard that refused a statement. */
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

/** Thrown by a guard; its message tells the author of the statement what to write instead. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly rule: Rule;

  constructor(rule: Rule, message: string) {
    super(message);
    this.rule = rule;
  }
}
