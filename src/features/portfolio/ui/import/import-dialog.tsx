import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { Dialog } from '../../../../ui/kit/dialog.tsx';
import { FormErrors } from '../../../../ui/kit/form-errors.tsx';
import { callApi } from '../../../../ui/shell/api/api.ts';
import type { ImportResponse } from '../../import/contract.ts';
import { ChooseFile } from './choose-file.tsx';
import { describeChanges, formatImportLabel, formatNames, summarizePreview } from './import-texts.ts';
import { type ImportOptions, ImportOptionFields } from './import-option-fields.tsx';
import { ImportPreview } from './import-preview.tsx';

interface Source extends ImportOptions {
  /** Name of the file. Null for pasted rows. */
  fileName: string | null;
  text: string;
}

/** Imports holdings: choose a file or paste rows, check the preview, confirm, and undo if needed. */
export default function ImportDialog({ privacy, onClose }: { privacy: boolean; onClose: () => void }) {
  const [source, setSource] = useState<Source | null>(null);
  const [preview, setPreview] = useState<ImportResponse | null>(null);
  const [imported, setImported] = useState<ImportResponse | null>(null);
  const queries = useQueryClient();
  const isImported = imported !== null;
  // The empty card that opened the dialog disappears with the first holding, so the cards wait until the dialog closes.
  useEffect(() => {
    if (!isImported) return undefined;
    return () => {
      void queries.invalidateQueries();
    };
  }, [isImported, queries]);
  return (
    <Dialog title="Import holdings" onClose={onClose} className="w-[min(40rem,calc(100vw-1.5rem))]">
      {imported ? (
        <Result imported={imported} onClose={onClose} />
      ) : (
        <Steps
          source={source}
          preview={preview}
          privacy={privacy}
          onSource={setSource}
          onPreview={setPreview}
          onImported={setImported}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface StepsProps {
  source: Source | null;
  preview: ImportResponse | null;
  privacy: boolean;
  onSource: (source: Source | null) => void;
  onPreview: (preview: ImportResponse | null) => void;
  onImported: (imported: ImportResponse) => void;
  onClose: () => void;
}

const sendImport = ({ text, accountId, existing }: Source, plan?: string): Promise<ImportResponse> =>
  callApi('POST /api/holdings/import', {
    body: { text, account_id: accountId, existing, ...(plan !== undefined && { plan }) },
    ...(plan === undefined && { query: { dry_run: '1' } }),
  });

/** Shows the choice of a file, then the preview with its options. */
function Steps({ source, preview, privacy, onSource, onPreview, onImported, onClose }: StepsProps) {
  const queries = useQueryClient();
  const [notice, setNotice] = useState<string | null>(null);
  const previewing = useMutation({ mutationFn: (next: Source) => sendImport(next) });
  const saving = useMutation({
    mutationFn: (confirmed: { source: Source; plan: string }) => sendImport(confirmed.source, confirmed.plan),
  });

  function showPreview(next: Source, message: string | null = null): void {
    setNotice(message);
    onSource(next);
    saving.reset();
    previewing.mutate(next, { onSuccess: onPreview });
  }

  function startAgain(): void {
    setNotice(null);
    onSource(null);
    onPreview(null);
    previewing.reset();
    saving.reset();
  }

  function confirm(): void {
    if (!source || !preview) return;
    saving.mutate(
      { source, plan: preview.plan },
      {
        onSuccess: onImported,
        onError: (error) => {
          // Another tab has changed or deleted something, so that the preview is no longer true.
          if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 404)) return;
          void queries.invalidateQueries();
          showPreview(error.status === 404 ? { ...source, accountId: null } : source, error.message);
        },
      },
    );
  }

  const error = previewing.error ?? saving.error;
  const message = error?.message ?? notice;
  const isOutcomeUnknown = saving.error instanceof ApiError && saving.error.status === 0;
  const problems = message === null ? [] : [{ field: null, message }];
  const changes = preview && describeChanges(preview.rows);
  if (!source || !preview)
    return (
      <div className="mt-3 grid gap-4">
        <FormErrors problems={problems} title="The file cannot be imported" />
        <ChooseFile
          isPending={previewing.isPending}
          onChoose={(text, fileName) => showPreview({ text, fileName, accountId: null, existing: 'replace' })}
          onClose={onClose}
        />
      </div>
    );
  return (
    <form
      noValidate
      className="mt-2 grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        confirm();
      }}
    >
      <FormErrors
        problems={problems}
        title={isOutcomeUnknown ? 'We could not confirm the import' : 'Nothing was imported'}
      />
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-small text-ink-soft">
        <span className="min-w-0 wrap-anywhere">
          {`${source.fileName ?? 'Pasted rows'} · ${formatNames[preview.format]}`}
        </span>
        <button type="button" className="link min-h-9 font-medium" onClick={startAgain}>
          Choose another file
        </button>
      </p>
      <ImportOptionFields options={source} onChange={(options) => showPreview({ ...source, ...options })} />
      <p role="status" className="sr-only">
        {previewing.isPending ? '' : summarizePreview(preview)}
      </p>
      <ImportPreview preview={preview} privacy={privacy} isBusy={previewing.isPending} />
      <div className="sticky -bottom-6 -mx-6 -mb-6 flex flex-wrap items-center justify-end gap-3 border-t border-line bg-raised px-6 py-4">
        {!changes && <p className="me-auto text-small text-ink-soft">There is nothing to import.</p>}
        <Button variant={changes ? 'quiet' : 'plain'} onClick={onClose}>
          {changes ? 'Cancel' : 'Close'}
        </Button>
        {changes && (
          <Button type="submit" variant="primary" pending={previewing.isPending || saving.isPending}>
            {formatImportLabel(preview.rows)}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Shows what was imported, with an undo. */
function Result({ imported, onClose }: { imported: ImportResponse; onClose: () => void }) {
  const id = imported.import_id;
  const undo = useMutation({
    mutationFn: (importId: string) => callApi('POST /api/holdings/import/{id}/undo', { params: { id: importId } }),
  });
  const changes = describeChanges(imported.rows);
  const names = imported.accounts.map(({ name }) => name);
  const importedText = `${changes ?? 'Nothing'} imported into ${names.length > 2 ? `${names.length} accounts` : names.join(' and ')}.`;
  return (
    <div className="mt-3 grid gap-4">
      {undo.error && (
        <FormErrors problems={[{ field: null, message: undo.error.message }]} title="The import was not undone" />
      )}
      {undo.isSuccess ? (
        <FocusedText key="undone" text="The import was undone. Everything is as before." />
      ) : (
        <FocusedText key="imported" text={importedText} />
      )}
      {imported.errors.length > 0 && !undo.isSuccess && (
        <p className="text-small text-ink-soft">
          {`${imported.errors.length === 1 ? '1 line has an error and was' : `${imported.errors.length} lines have errors and were`} not imported. Correct the file and import it again.`}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        {id !== null && !undo.isSuccess && (
          <Button pending={undo.isPending} onClick={() => undo.mutate(id)}>
            Undo
          </Button>
        )}
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

/** Text that takes the focus when it appears, so that screen readers read it. */
function FocusedText({ text }: { text: string }) {
  const element = useRef<HTMLParagraphElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <p ref={element} tabIndex={-1} className="wrap-anywhere outline-none">
      {text}
    </p>
  );
}
