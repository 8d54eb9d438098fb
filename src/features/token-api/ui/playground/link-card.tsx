import { useState } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { Card } from '../../../../ui/kit/card.tsx';
import { CopyButton } from '../../../../ui/kit/copy-button.tsx';
import { FieldError } from '../../../../ui/kit/text-field.tsx';
import { formatInteger } from '../../../../ui/kit/formats.ts';
import { MAX_FRAGMENT_LENGTH, writeLink } from './fragment-link.ts';
import { getShortName, listUsedFiles, type RequestFiles } from './request-files.ts';

interface LinkCardProps {
  text: string;
  files: RequestFiles;
  otherModels: readonly string[];
}

/** A link with the request that it carries. */
interface CreatedLink extends LinkCardProps {
  link: Awaited<ReturnType<typeof writeLink>>;
}

/** Creates a link that carries the request in its fragment. A change of the request removes the link. */
export function LinkCard({ text, files, otherModels }: LinkCardProps) {
  const [created, setCreated] = useState<CreatedLink | null>(null);
  const isCurrent = created?.text === text && created.files === files && created.otherModels === otherModels;
  const link = isCurrent ? created.link : null;

  async function create(): Promise<void> {
    const pageUrl = window.location.origin + window.location.pathname;
    const shared = { text, otherModels: [...otherModels], files: listUsedFiles(text, files) };
    setCreated({ text, files, otherModels, link: await writeLink(pageUrl, shared) });
  }

  return (
    <Card title="Link">
      <div className="grid justify-items-start gap-3">
        <p className="max-w-prose text-small text-ink-soft">
          The link carries the request after its #, which browsers do not send to a server. Whoever has the link can
          read the request.
        </p>
        <Button
          onClick={() => {
            void create();
          }}
        >
          Create link
        </Button>
        {link?.ok && (
          <div className="grid w-full gap-2">
            <div className="flex items-center gap-1">
              <input
                readOnly
                aria-label="Link to this request"
                value={link.url}
                className="field font-mono"
                onFocus={(event) => event.target.select()}
              />
              <CopyButton label="Copy the link" text={link.url} />
            </div>
            <p role="status" className="text-small text-ink-soft">
              {link.omittedFiles.length > 0 &&
                `Too large for a link, so left out: ${link.omittedFiles.map(getShortName).join(', ')}. ` +
                  'Whoever opens the link adds them again.'}
            </p>
          </div>
        )}
        {link?.ok === false && (
          <div role="alert">
            <FieldError
              text={
                `The request is too long for a link: ${formatInteger(link.length)} of at most ` +
                `${formatInteger(MAX_FRAGMENT_LENGTH)} characters. Copy it as code instead.`
              }
            />
          </div>
        )}
      </div>
    </Card>
  );
}
