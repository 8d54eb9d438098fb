import { readStored, writeStored } from '../../../ui/kit/browser-storage.ts';
import { safePath } from '../../../ui/shell/navigation/safe-path.ts';

const STORAGE_KEY = 'tally:after-checkout';

interface ReturnIntent {
  /** Path that the member came from. */
  to: string;
  /** Symbol that the member wanted to watch when the list was full. */
  symbol: string | null;
}

/** Stores, for this tab, the action after the payment. */
export const storeReturnIntent = (intent: ReturnIntent): void =>
  writeStored(STORAGE_KEY, JSON.stringify(intent), 'sessionStorage');

/** Returns the stored intent. Returns the billing page if there is none in this tab. */
export function readReturnIntent(): ReturnIntent {
  try {
    const { to, symbol } = JSON.parse(readStored(STORAGE_KEY, 'sessionStorage') ?? '{}') as Partial<ReturnIntent>;
    return { to: safePath(to ?? null, '/settings/billing'), symbol: typeof symbol === 'string' ? symbol : null };
  } catch {
    return { to: '/settings/billing', symbol: null };
  }
}

export const clearReturnIntent = (): void => writeStored(STORAGE_KEY, null, 'sessionStorage');
