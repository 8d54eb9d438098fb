import { type ReactNode, useEffect, useTransition } from 'react';
import { RouteAnnouncer } from '../layout/route-announcer.tsx';
import { ApiError } from '../../kit/api-error.ts';
import { ChunkLoadError } from '../loading/import-with-retry.ts';
import { reload } from '../navigation/location.ts';
import { session } from '../session/session.ts';
import { Button, getButtonClass } from '../../kit/button.tsx';
import { Link } from '../navigation/link.tsx';
import { LogoMark } from '../layout/logo.tsx';

interface MessagePageProps {
  /** Title of the document. */
  name: string;
  title: string;
  text: string;
  actions: ReactNode;
  children?: ReactNode;
}

/** Page with one message. */
export function MessagePage({ name, title, text, actions, children }: MessagePageProps) {
  return (
    <div className="mx-auto grid max-w-prose justify-items-center gap-4 py-12 text-center">
      <span className="text-ink-faint">
        <LogoMark size={44} />
      </span>
      <h1 className="text-title font-semibold tracking-tight">{title}</h1>
      <p className="text-ink-soft">{text}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">{actions}</div>
      {children}
      <RouteAnnouncer title={name} />
    </div>
  );
}

/** Page for a failed page, with the cause if available, the request id to copy and a retry button. */
export function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  const apiError = error instanceof ApiError ? error : null;
  const canRetry = error instanceof ChunkLoadError && !error.isDeleted;
  return (
    <MessagePage
      name="Something went wrong"
      title="Something went wrong"
      text={
        apiError?.message ??
        (canRetry
          ? 'The page could not be loaded. Check your connection and try again.'
          : 'Part of the page could not be loaded, perhaps because Tally was just updated.')
      }
      actions={
        <>
          <Button variant="primary" onClick={apiError || canRetry ? retry : reload}>
            {apiError ? 'Try again' : 'Reload'}
          </Button>
          <Link href="/" className={getButtonClass('plain')}>
            Go to the home page
          </Link>
        </>
      }
    >
      {apiError?.requestId && (
        <p className="text-small text-ink-faint">
          Request <code className="font-mono select-all">{apiError.requestId}</code>
        </p>
      )}
    </MessagePage>
  );
}

/** Page for an unavailable session look-up. Retries on a press and when the device is online again. */
export function UnreachablePage() {
  const [isTrying, startTrying] = useTransition();
  useEffect(() => {
    const onOnline = (): void => {
      void session.start();
    };
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, []);
  return (
    <MessagePage
      name="Cannot be reached"
      title="Tally cannot be reached"
      text="Check your connection, or try again in a moment."
      actions={
        <Button variant="primary" pending={isTrying} onClick={() => startTrying(() => session.start())}>
          Try again
        </Button>
      }
    />
  );
}
