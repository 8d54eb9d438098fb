import { Arrival } from '../layout/arrival.tsx';
import { ApiError } from '../lib/call-api.ts';
import { PartMissing } from '../lib/import-part.ts';
import { reload } from '../lib/location.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Link } from '../ui/link.tsx';
import { Message } from './message.tsx';

/** A page that failed: what happened as far as it can be told, the id to quote, and a way on. */
export function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  const known = error instanceof ApiError ? error : null;
  const mayArrive = error instanceof PartMissing && !error.gone;
  return (
    <Message
      title="This page did not work"
      text={
        known?.message ??
        (mayArrive
          ? 'It did not arrive. Check your connection and load it again.'
          : 'Part of the page could not be loaded, perhaps because Tally was updated a moment ago.')
      }
      actions={
        <>
          <Button look="primary" onClick={known || mayArrive ? retry : reload}>
            {known ? 'Try again' : 'Load it again'}
          </Button>
          <Link href="/" className={buttonClass('plain')}>
            Go to the start
          </Link>
        </>
      }
    >
      {known?.requestId && (
        <p className="flex items-center justify-center gap-1 text-small text-ink-faint">
          Request <code className="font-mono">{known.requestId}</code>
          <CopyButton text={known.requestId} label="Copy the request id" />
        </p>
      )}
      <Arrival title="Something went wrong" />
    </Message>
  );
}
