/** Error response in the aggregator's format. */
export class BankError extends Error {
  override readonly name = 'BankError';
  readonly type: string;
  readonly code: string;

  constructor(type: string, code: string) {
    super(code);
    this.type = type;
    this.code = code;
  }

  /** Returns the response body. An error nested in another response has an empty request id. */
  toBody(requestId = '') {
    return {
      error_type: this.type,
      error_code: this.code,
      error_code_reason: null,
      error_message: `the sandbox answers ${this.code}`,
      display_message: null,
      request_id: requestId,
      suggested_action: null,
    };
  }
}

export const itemError = (code: string): BankError => new BankError('ITEM_ERROR', code);
