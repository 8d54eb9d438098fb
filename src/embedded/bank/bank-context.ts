import type { SandboxOptions } from '../shared/sandbox.ts';
import type { Signer } from './sign-webhook.ts';

/** Where the stand-in's wire and pages hang. */
export const SANDBOX_BANK_PATH = '/_bank';

/** What every part of the stand-in works with. */
export interface BankContext extends Required<Omit<SandboxOptions, 'logger'>> {
  signer: Signer;
  /** The public token that a page's success brings; nobody stores it. */
  publicTokenOf(linkToken: string): string;
  /** Tells the webhook delivery that a message waits. */
  wake(): void;
}
