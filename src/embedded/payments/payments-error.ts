/** Error response in the provider's format. */
export class PaymentsError extends Error {
  override readonly name = 'PaymentsError';
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly param: string | undefined;

  constructor(
    code: string,
    { status = 400, type = 'invalid_request_error', param = undefined as string | undefined } = {},
  ) {
    super(`the sandbox answers ${code}`);
    this.code = code;
    this.status = status;
    this.type = type;
    this.param = param;
  }

  toBody() {
    const { type, code, message, param } = this;
    return { error: { type, code, message, ...(param !== undefined && { param }) } };
  }
}

/** Rolls back a page's transaction because the card was declined. The message is the reason. */
export class CardDeclinedError extends Error {}

export const resourceMissing = (param = 'id'): PaymentsError =>
  new PaymentsError('resource_missing', { status: 404, param });
