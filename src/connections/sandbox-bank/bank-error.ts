/** A refusal in the aggregator's shape. */
export class BankError extends Error {
  override readonly name = 'BankError';
  readonly type: string;
  readonly code: string;
  readonly status: number;

  constructor(type: string, code: string, status = 400) {
    super(code);
    this.type = type;
    this.code = code;
    this.status = status;
  }

  toBody(requestId: string) {
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

export const bankErrors = {
  invalidKeys: () => new BankError('INVALID_INPUT', 'INVALID_API_KEYS'),
  invalidAccessToken: () => new BankError('INVALID_INPUT', 'INVALID_ACCESS_TOKEN'),
  invalidLinkToken: () => new BankError('INVALID_INPUT', 'INVALID_LINK_TOKEN'),
  invalidPublicToken: () => new BankError('INVALID_INPUT', 'INVALID_PUBLIC_TOKEN'),
  invalidKeyId: () => new BankError('INVALID_INPUT', 'INVALID_WEBHOOK_VERIFICATION_KEY_ID'),
  loginRequired: () => new BankError('ITEM_ERROR', 'ITEM_LOGIN_REQUIRED'),
  noInvestmentAccounts: () => new BankError('ITEM_ERROR', 'NO_INVESTMENT_ACCOUNTS'),
};
