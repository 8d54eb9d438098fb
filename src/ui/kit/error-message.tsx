import { ApiError } from './api-error.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface ErrorMessageProps {
  error: unknown;
  retry: () => void;
  /** What is said where the service has said nothing. */
  fallbackMessage?: string;
  /** Where the part was asked for and can be left instead. */
  onClose?: (() => void) | undefined;
}

/** What went wrong in one part of a page, the id to quote, and another try. */
export function ErrorMessage({
  error,
  retry,
  fallbackMessage = 'This part of the page did not work.',
  onClose,
}: ErrorMessageProps) {
  const apiError = error instanceof ApiError ? error : null;
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-sunken px-4 py-3">
      <span className="text-loss">
        <Icon name="warn" />
      </span>
      <p className="min-w-0 flex-1 basis-60">
        {apiError?.message ?? fallbackMessage}
        {apiError?.requestId && apiError.status >= 500 && (
          <span className="block font-mono text-micro text-ink-faint">Request {apiError.requestId}</span>
        )}
      </p>
      <div className="flex gap-1">
        <Button onClick={retry}>Try again</Button>
        {onClose && (
          <Button variant="quiet" onClick={onClose}>
            Close
          </Button>
        )}
      </div>
    </div>
  );
}
