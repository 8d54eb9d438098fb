import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { ChoiceGroup } from '../../../../ui/kit/choice-group.tsx';
import { FormErrors } from '../../../../ui/kit/form-errors.tsx';
import { callApi } from '../../../../ui/shell/api/api.ts';
import type { ColumnRole, FileKind, ImportResponse } from '../contract.ts';
import { ChooseFile } from './choose-file.tsx';
import { ChooseSecurities, groupUnchosen, type SecurityChoice } from './choose-securities.tsx';
import { ColumnFields } from './column-fields.tsx';
import {
  describeChanges,
  describeOpenQuestion,
  formatImportLabel,
  formatNames,
  kindNames,
  summarizePreview,
} from './import-texts.ts';
import { type ImportOptions, ImportOptionFields } from './import-option-fields.tsx';
import { ImportPreview } from './import-preview.tsx';
import { LineSummary } from './line-summary.tsx';
import type { FileTable } from './file-tables.ts';
import { SheetField } from './sheet-field.tsx';

/** File with what the member said about it. */
interface Source extends ImportOptions {
  /** Name of the file. Null for pasted rows. */
  fileName: string | null;
  /** Tables of the file, and the place of the imported one. */
  tables: readonly FileTable[];
  tableIndex: number;
  /** Null: what the rows say. */
  kind: FileKind | null;
  /** Null: the kept choice, else what the file says. */
  columns: ColumnRole[] | null;
  securities: SecurityChoice[];
}

/** What the member says about a table, before anything is said. */
const nothingSaid = { kind: null, columns: null, securities: [] } satisfies Partial<Source>;

const sendImport = (source: Source, plan?: string): Promise<ImportResponse> =>
  callApi('POST /api/holdings/import', {
    body: {
      text: source.tables[source.tableIndex]!.text,
      kind: source.kind,
      columns: source.columns,
      securities: source.securities,
      account_id: source.accountId,
      existing: source.existing,
      ...(plan !== undefined && { plan }),
    },
    ...(plan === undefined && { query: { dry_run: '1' } }),
  });

interface ImportStepsProps {
  privacy: boolean;
  /** Called with whether a file is chosen. */
  onFile: (hasFile: boolean) => void;
  onImported: (imported: ImportResponse) => void;
  onClose: () => void;
}

/** Shows the choice of a file, then the preview with what can be said about the file. */
export function ImportSteps({ privacy, onFile, onImported, onClose }: ImportStepsProps) {
  const queries = useQueryClient();
  const [source, setSource] = useState<Source | null>(null);
  const [preview, setPreview] = useState<ImportResponse | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  /** Columns that were chosen since the preview. */
  const [columns, setColumns] = useState<ColumnRole[] | null>(null);
  const previewing = useMutation({ mutationFn: (next: Source) => sendImport(next) });
  const deleting = useMutation({
    mutationFn: (headerId: string) =>
      callApi('DELETE /api/holdings/import-columns/{header_id}', { params: { header_id: headerId } }),
  });
  const saving = useMutation({
    mutationFn: (confirmed: { source: Source; plan: string }) => sendImport(confirmed.source, confirmed.plan),
  });

  function showPreview(next: Source, message: string | null = null): void {
    setNotice(message);
    setSource(next);
    onFile(true);
    deleting.reset();
    saving.reset();
    previewing.mutate(next, {
      onSuccess(response) {
        setPreview(response);
        setColumns(null);
      },
    });
  }

  /** Previews the file with the columns that it shows, which later files with the same header have then, too. */
  function detectColumns(current: Source, { table }: ImportResponse): void {
    const next = { ...current, columns: null };
    if (table.is_kept) deleting.mutate(table.header_id, { onSuccess: () => showPreview(next) });
    else showPreview(next);
  }

  function startAgain(): void {
    setNotice(null);
    setSource(null);
    onFile(false);
    setPreview(null);
    setColumns(null);
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

  const rowsToChoose = useMemo(() => {
    // A row whose security was just chosen stays hidden until the next preview.
    const choices = previewing.isPending ? [] : (source?.securities ?? []);
    return new Set(preview ? [...groupUnchosen(preview.rows, choices).values()].flat() : []);
  }, [preview, source?.securities, previewing.isPending]);
  const heading = useRef<HTMLSpanElement>(null);
  // The control that asked for the preview may have disappeared with the focus.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
    // Runs once per preview.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [preview]);
  const error = previewing.error ?? deleting.error ?? saving.error;
  const message = error?.message ?? notice;
  const isOutcomeUnknown = saving.error instanceof ApiError && saving.error.status === 0;
  const problems = useMemo(() => (message === null ? [] : [{ field: null, message }]), [message]);
  if (!source || !preview)
    return (
      <div className="mt-3 grid gap-4">
        <FormErrors problems={problems} title="The file cannot be imported" />
        <ChooseFile
          isPending={previewing.isPending}
          onChoose={(tables, fileName) =>
            showPreview({ ...nothingSaid, tables, tableIndex: 0, fileName, accountId: null, existing: 'replace' })
          }
          onClose={onClose}
        />
      </div>
    );

  /** Previews a change of what the member says about the file, with the columns chosen meanwhile. */
  const change = (part: Partial<Source>): void =>
    showPreview({ ...source, columns: columns ?? source.columns, ...part });
  const question = describeOpenQuestion(preview);
  const changes = question === undefined ? describeChanges(preview.rows) : undefined;
  const hasNewColumns = columns !== null;
  return (
    // No form, since Enter in one of its fields would import.
    <div className="mt-2 grid grid-cols-1 gap-4">
      <FormErrors
        problems={problems}
        title={isOutcomeUnknown ? 'We could not confirm the import' : 'Nothing was imported'}
      />
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-small text-ink-soft">
        <span ref={heading} tabIndex={-1} className="min-w-0 wrap-anywhere outline-none">
          {`${source.fileName ?? 'Pasted rows'} · ${formatNames[preview.format]}`}
        </span>
        <button type="button" className="link min-h-9 font-medium" onClick={startAgain}>
          Choose another file
        </button>
      </p>
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <ChoiceGroup
          legend="What does this file list?"
          showLegend
          name="import-kind"
          options={[
            { id: 'positions', label: kindNames.positions },
            { id: 'transactions', label: kindNames.transactions },
          ]}
          value={source.kind ?? preview.kind}
          onChange={(kind) => change({ kind })}
        />
        <SheetField
          tables={source.tables}
          index={source.tableIndex}
          onChange={(tableIndex) => change({ ...nothingSaid, tableIndex })}
        />
      </div>
      <ColumnFields
        table={preview.table}
        columns={columns ?? preview.table.columns}
        isChosen={preview.table.is_kept || (columns ?? source.columns) !== null}
        privacy={privacy}
        onChange={setColumns}
        onReset={() => detectColumns(source, preview)}
      />
      <ImportOptionFields options={source} onChange={change} />
      <p role="status" className="sr-only">
        {previewing.isPending ? '' : summarizePreview(preview)}
      </p>
      {question === undefined && (
        <>
          <LineSummary preview={preview} />
          <ChooseSecurities
            rows={preview.rows}
            choices={source.securities}
            onChange={(choices) => change({ securities: choices })}
          />
          <ImportPreview preview={preview} hiddenRows={rowsToChoose} privacy={privacy} isBusy={previewing.isPending} />
        </>
      )}
      <div className="sticky -bottom-6 -mx-6 -mb-6 flex flex-wrap items-center justify-end gap-3 border-t border-line bg-raised px-6 py-4">
        {!changes && !hasNewColumns && (
          <p className="me-auto text-small text-ink-soft">
            {question ?? (rowsToChoose.size > 0 ? 'Choose the securities first.' : 'There is nothing to import.')}
          </p>
        )}
        <Button variant={changes || hasNewColumns ? 'quiet' : 'plain'} onClick={onClose}>
          {changes || hasNewColumns ? 'Cancel' : 'Close'}
        </Button>
        {(changes || hasNewColumns) && (
          <Button
            variant="primary"
            pending={previewing.isPending || saving.isPending}
            onClick={() => (hasNewColumns ? change({}) : confirm())}
          >
            {hasNewColumns ? 'Preview' : formatImportLabel(preview.rows)}
          </Button>
        )}
      </div>
    </div>
  );
}
