import { ApiError } from '../lib/call-api.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** What went wrong in one part of a page, the id to quote, and another try. */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const known = error instanceof ApiError ? error : null;
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-sunken px-4 py-3">
      <span className="text-loss">
        <Icon name="warn" />
      </span>
      <p className="min-w-0 flex-1 basis-60">
        {known?.message ?? 'This part of the page did not work.'}
        {known?.requestId && known.status >= 500 && <span className="block font-mono text-micro text-ink-faint">Request {known.requestId}</span>}
      </p>
      <Button onClick={retry}>Try again</Button>
    </div>
  );
}
