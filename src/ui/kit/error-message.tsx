import { ApiError } from './api-error.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface ErrorMessageProps {
  error: unknown;
  retry: () => void;
  /** Message if the service sent none. */
  fallbackMessage?: string;
  /** Closes the part, if the member can leave it. */
  onClose?: (() => void) | undefined;
}

/** Shows the error of one part of a page with the request id and a retry button. */
export function ErrorMessage({
  error,
  retry,
  fallbackMessage = 'This section could not be loaded.',
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
