import { useId } from 'react';
import { CopyButton } from '../../../ui/kit/copy-button.tsx';
import { getClientSetups, TOKEN_PLACEHOLDER } from './client-setups.ts';

/** Shows how to connect three clients, each with a text to copy. The text contains the new token, if any. */
export function ConnectClients({ url, token }: { url: string; token: string | undefined }) {
  const id = useId();
  return (
    <div className="grid gap-5">
      <p className="max-w-prose text-ink-soft">
        Server URL: <code className="font-mono text-small break-all">{url}</code>; any client that speaks Streamable
        HTTP and sends a header can use it.
        {token === undefined && (
          <>
            {' '}
            Replace the placeholder with your token: <code className="font-mono text-small">{TOKEN_PLACEHOLDER}</code>.
          </>
        )}
      </p>
      {getClientSetups(url, token ?? TOKEN_PLACEHOLDER).map(({ name, where, text }) => (
        <section key={name} aria-labelledby={`${id}-${name}`}>
          <h3 id={`${id}-${name}`} className="font-semibold">
            {name}
          </h3>
          <p className="text-small text-ink-soft">{where}</p>
          <div className="mt-2 flex items-start gap-1 rounded-control border border-line bg-sunken py-1 ps-3 pe-1">
            <pre className="min-w-0 flex-1 py-1.5 font-mono text-small wrap-anywhere whitespace-pre-wrap">{text}</pre>
            <CopyButton text={text} label={`Copy the text for ${name}`} />
          </div>
        </section>
      ))}
    </div>
  );
}
