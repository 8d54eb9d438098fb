import { type ApiResponse, TestBrowser } from './identity.ts';
import { createRandomAddress } from './random-address.ts';

/** A browser at an address of its own, so that limits by address do not count other browsers of a test. */
export class DistantBrowser extends TestBrowser {
  readonly #address = createRandomAddress();

  override call(
    method: string,
    path: string,
    form?: Record<string, string> | object,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return super.call(method, path, form, { 'x-forwarded-for': this.#address, ...headers });
  }
}
