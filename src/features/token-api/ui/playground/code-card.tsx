import { memo, useState } from 'react';
import { Card } from '../../../../ui/kit/card.tsx';
import { CopyButton } from '../../../../ui/kit/copy-button.tsx';
import { omitCreationFields } from '../../command/creation-fields.ts';
import { writeCurl, writePython, writeTypeScript } from './code-snippets.ts';
import { ChoiceGroup } from '../../../../ui/kit/choice-group.tsx';
import { readBuildableRequest } from './request-edits.ts';
import { insertFilesInto, type RequestFiles } from './request-files.ts';

const LANGUAGES = [
  { id: 'curl', label: 'curl', write: writeCurl },
  { id: 'typescript', label: 'TypeScript', write: writeTypeScript },
  { id: 'python', label: 'Python', write: writePython },
] as const;

/** Maximum length of the shown code. The copied code is complete. */
const MAX_SHOWN_LENGTH = 20_000;

/**
 * Shows the request as code for the endpoint of this service, and nothing for an invalid one. Files are inserted when the
 * code is copied. It renders once a text, because a long one takes longer than a keystroke.
 */
export const CodeCard = memo(function CodeCard({ text, files }: { text: string; files: RequestFiles }) {
  const [chosen, setChosen] = useState<(typeof LANGUAGES)[number]['id']>('curl');
  const { label, write } = LANGUAGES.find(({ id }) => id === chosen)!;
  const parsed = readBuildableRequest(text);
  if (parsed === undefined) return null;
  const request = omitCreationFields({ ...parsed });
  const code = write(request, window.location.origin);
  return (
    <Card
      title="Code"
      actions={
        <CopyButton
          label={`Copy the ${label} code`}
          text={() => write(insertFilesInto(request, files), window.location.origin)}
        />
      }
    >
      <div className="grid gap-3">
        <ChoiceGroup legend="Language" name="code-language" options={LANGUAGES} value={chosen} onChange={setChosen} />
        {/* The block scrolls. Keyboard users must therefore be able to reach it. */}
        <pre
          tabIndex={0}
          aria-label={`The request in ${label}`}
          className="max-h-96 overflow-auto rounded-control bg-sunken p-3 font-mono text-small"
        >
          {code.length > MAX_SHOWN_LENGTH ? `${code.slice(0, MAX_SHOWN_LENGTH)}\n… (copy for the rest)` : code}
        </pre>
        <p className="text-small text-ink-faint">
          Set <code className="font-mono">TALLY_API_KEY</code> to one of your keys.
          {files.size > 0 && ' Files are inserted when you copy.'}
        </p>
      </div>
    </Card>
  );
});
