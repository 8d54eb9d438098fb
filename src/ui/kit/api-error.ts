/** Failed call of `/api`. `status` is 0 if there was no response (`OFFLINE`, `TIMEOUT`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  /** Seconds after which a retry can succeed, from `retry-after`. */
  readonly retryAfter: number | null;
  /** Complete error body, for codes with further fields (`limit`, `item`, `issues`). */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    details: Partial<Pick<ApiError, 'requestId' | 'retryAfter' | 'body'>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = details.requestId ?? null;
    this.retryAfter = details.retryAfter ?? null;
    this.body = details.body ?? {};
  }
}
