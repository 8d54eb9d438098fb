import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { Dialog } from '../../../../ui/kit/dialog.tsx';
import { FormErrors } from '../../../../ui/kit/form-errors.tsx';
import { formatMoment } from '../../../../ui/kit/formats.ts';
import { callApi } from '../../../../ui/shell/api/api.ts';
import type { ImportResponse } from '../../import/contract.ts';
import { ChooseFile } from './choose-file.tsx';
import { describeChanges, describeLeftOut, formatImportLabel, formatNames, summarizePreview } from './import-texts.ts';
import { type ImportOptions, ImportOptionFields } from './import-option-fields.tsx';
import { ImportPreview } from './import-preview.tsx';
import { type LastImport, readLastImport, rememberImport } from './last-import.ts';
import { closeImportToast, showImportToast, undoImport } from './undo-import.ts';

interface Source extends ImportOptions {
  /** Name of the file. Null for pasted rows. */
  fileName: string | null;
  text: string;
}

interface ImportDialogProps {
  privacy: boolean;
  /** Whether the page can be read again while the dialog is open. An empty card would disappear with its dialog. */
  refreshesAtOnce: boolean;
  onClose: () => void;
}

/** Imports holdings: choose a file or paste rows, check the preview, confirm, and undo if needed. */
export default function ImportDialog({ privacy, refreshesAtOnce, onClose }: ImportDialogProps) {
  const [source, setSource] = useState<Source | null>(null);
  const [preview, setPreview] = useState<ImportResponse | null>(null);
  const [imported, setImported] = useState<ImportResponse | null>(null);
  const queries = useQueryClient();
  const [lastImport, setLastImport] = useState<LastImport | null>(readLastImport);
  const [isUndone, setUndone] = useState(false);
  useEffect(closeImportToast, []);
  const refresh = (): void => {
    if (refreshesAtOnce) void queries.invalidateQueries();
  };

  function close(): void {
    onClose();
    if (!imported && !isUndone) return;
    if (imported?.import_id && !isUndone) showImportToast(queries, describeImport(imported), imported.import_id);
    void queries.invalidateQueries();
  }

  return (
    <Dialog title="Import holdings" onClose={close} className="w-[min(40rem,calc(100vw-1.5rem))]">
      {imported && (
        <Result
          imported={imported}
          onUndone={() => {
            setUndone(true);
            refresh();
          }}
          onClose={close}
        />
      )}
      {!imported && lastImport && source === null && (
        <LastImportLine
          lastImport={lastImport}
          onUndone={() => {
            setUndone(true);
            refresh();
          }}
        />
      )}
      {!imported && (
        <Steps
          source={source}
          preview={preview}
          privacy={privacy}
          onSource={setSource}
          onPreview={setPreview}
          onImported={(result) => {
            setImported(result);
            setUndone(false);
            setLastImport(null);
            if (result.import_id !== null) rememberImport(result.import_id);
            refresh();
          }}
          onClose={close}
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

/** Returns what was imported and where: `3 holdings imported into Brokerage.` */
function describeImport({ rows, accounts }: ImportResponse): string {
  const names = accounts.map(({ name }) => name);
  return `${describeChanges(rows) ?? 'Nothing'} imported into ${names.length > 2 ? `${names.length} accounts` : names.join(' and ')}.`;
}

/** Offers the undo of the last import, as long as nothing has changed since. */
function LastImportLine({ lastImport, onUndone }: { lastImport: LastImport; onUndone: () => void }) {
  const undo = useMutation({ mutationFn: () => undoImport(lastImport.id), onSuccess: onUndone });
  const isRefused = undo.error instanceof ApiError && (undo.error.status === 404 || undo.error.status === 409);
  return (
    <div className="mt-3 grid gap-2 rounded-control bg-sunken px-3 py-1 text-small">
      {undo.isSuccess ? (
        <FocusedText text="The import was undone. Everything is as before." />
      ) : (
        <p className="flex min-h-9 flex-wrap items-center justify-between gap-x-3">
          <span className="text-ink-soft">{`Last import: ${formatMoment(new Date(lastImport.time).toISOString())}`}</span>
          {!isRefused && (
            <button
              type="button"
              className="link min-h-9 font-medium"
              aria-disabled={undo.isPending || undefined}
              onClick={() => {
                if (!undo.isPending) undo.mutate();
              }}
            >
              Undo the import
            </button>
          )}
        </p>
      )}
      {undo.error && (
        <p role="alert" className="pb-2">
          {undo.error.message}
        </p>
      )}
    </div>
  );
}

interface ResultProps {
  imported: ImportResponse;
  onUndone: () => void;
  onClose: () => void;
}

/** Shows what was imported and what was left out, with an undo. */
function Result({ imported, onUndone, onClose }: ResultProps) {
  const id = imported.import_id;
  const undo = useMutation({ mutationFn: undoImport, onSuccess: onUndone });
  const leftOut = describeLeftOut(imported.rows);
  return (
    <div className="mt-3 grid gap-4">
      {undo.error && (
        <FormErrors problems={[{ field: null, message: undo.error.message }]} title="The import was not undone" />
      )}
      {undo.isSuccess ? (
        <FocusedText key="undone" text="The import was undone. Everything is as before." />
      ) : (
        <FocusedText key="imported" text={describeImport(imported)} />
      )}
      {leftOut !== undefined && !undo.isSuccess && <p className="text-small wrap-anywhere text-ink-soft">{leftOut}</p>}
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
