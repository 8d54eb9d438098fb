/** Error response in the aggregator's format. */
export class BrokerageError extends Error {
  override readonly name = 'BrokerageError';
  readonly status: number;
  readonly code: string;
  /** Delay until the next attempt in seconds. */
  readonly retryAfter: number | undefined;

  constructor(status: number, code: string, retryAfter?: number) {
    super(code);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  toBody() {
    return { detail: `the sandbox answers ${this.code}`, status_code: this.status, code: this.code };
  }
}

export const brokerageErrors = {
  badSignature: () => new BrokerageError(401, '1076'),
  unknownUser: () => new BrokerageError(401, '1083'),
  userExists: () => new BrokerageError(400, '1010'),
  notFound: () => new BrokerageError(404, '1011'),
  invalidInput: () => new BrokerageError(400, '1012'),
  populating: () => new BrokerageError(425, '3012'),
};
