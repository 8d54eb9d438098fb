import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { Dialog } from '../../../../ui/kit/dialog.tsx';
import { FormErrors } from '../../../../ui/kit/form-errors.tsx';
import { formatMoment } from '../../../../ui/kit/formats.ts';
import type { ImportResponse } from '../contract.ts';
import { ImportSteps } from './import-steps.tsx';
import { describeChanges, describeLeftOut, describeNotImported } from './import-texts.ts';
import { type LastImport, readLastImport, rememberImport } from './last-import.ts';
import { closeImportToast, showImportToast, undoImport } from './undo-import.ts';

interface ImportDialogProps {
  privacy: boolean;
  /** Whether the page can be read again while the dialog is open. An empty card would disappear with its dialog. */
  refreshesAtOnce: boolean;
  onClose: () => void;
}

/** Imports holdings: choose a file or paste rows, check the preview, confirm, and undo if needed. */
export default function ImportDialog({ privacy, refreshesAtOnce, onClose }: ImportDialogProps) {
  const [hasFile, setHasFile] = useState(false);
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
      {!imported && lastImport && !hasFile && (
        <LastImportLine
          lastImport={lastImport}
          onUndone={() => {
            setUndone(true);
            refresh();
          }}
        />
      )}
      {!imported && (
        <ImportSteps
          privacy={privacy}
          onFile={setHasFile}
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
  const notImported = describeNotImported(imported.not_imported);
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
      {notImported !== undefined && !undo.isSuccess && (
        <p className="text-small text-ink-soft">{`${notImported}: not imported.`}</p>
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
