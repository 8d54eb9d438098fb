import { readStored, writeStored } from '../../../ui/kit/browser-storage.ts';
import { safePath } from '../../../ui/shell/navigation/safe-path.ts';

const KEY = 'tally:after-checkout';

interface AfterCheckout {
  /** Where the member was. */
  to: string;
  /** What they wanted to watch when the list was full. */
  symbol: string | null;
}

/** Notes, for this tab, what comes after the payment. */
export const keepAfterCheckout = (after: AfterCheckout): void =>
  writeStored(KEY, JSON.stringify(after), 'sessionStorage');

/** What was noted; the billing page where nothing was, or not in this tab. */
export function readAfterCheckout(): AfterCheckout {
  try {
    const { to, symbol } = JSON.parse(readStored(KEY, 'sessionStorage') ?? '{}') as Partial<AfterCheckout>;
    return { to: safePath(to ?? null, '/settings/billing'), symbol: typeof symbol === 'string' ? symbol : null };
  } catch {
    return { to: '/settings/billing', symbol: null };
  }
}

export const forgetAfterCheckout = (): void => writeStored(KEY, null, 'sessionStorage');
