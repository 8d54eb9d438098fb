import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { showToast } from '../../../../ui/kit/toasts.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { Dialog } from '../../../../ui/kit/dialog.tsx';
import { FormErrors } from '../../../../ui/kit/form-errors.tsx';
import { TextArea } from '../../../../ui/kit/text-area.tsx';
import type { ImportOutcome, ImportResponse, Watchlist } from '../../contract.ts';
import { formatImportSummary } from './import-summary.ts';
import { UpgradeLink } from '../list/upgrade-link.tsx';
import { watchlistQueryKey } from '../list/watchlist-query.ts';

const outcomeLabels: Readonly<Record<ImportOutcome, { label: string; tone: string }>> = {
  added: { label: 'will be added', tone: 'text-gain' },
  duplicate: { label: 'already on the list', tone: 'text-ink-faint' },
  unknown: { label: 'not found', tone: 'text-loss' },
  unsupported: { label: 'crypto is not supported', tone: 'text-loss' },
  over_limit: { label: 'over the limit', tone: 'text-warn' },
};

const MAX_FILE_BYTES = 64 * 1024;

/** Imports pasted lines, a comma-separated list or a CSV file. Shows the result of each row before the import runs. */
export default function ImportList({ list, onClose }: { list: Watchlist; onClose: () => void }) {
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const preview = useMutation({ mutationFn: (body: string) => sendImport(body, true) });
  const save = useMutation({
    mutationFn: (body: string) => sendImport(body, false),
    onSettled: () => queries.invalidateQueries({ queryKey: watchlistQueryKey }),
  });
  const rows = preview.data?.rows;
  const added = rows?.filter(({ outcome }) => outcome === 'added').length ?? 0;
  const message = problem ?? (save.error ?? preview.error)?.message ?? null;
  // Without a response the import may still have succeeded. On a retry, rows that were added count as duplicates.
  const isOutcomeUnknown = problem === null && save.error instanceof ApiError && save.error.status === 0;

  function changeText(next: string): void {
    setText(next);
    setProblem(null);
    preview.reset();
    save.reset();
  }

  async function readFile(chosen: File | undefined): Promise<void> {
    if (!chosen) return;
    if (chosen.size > MAX_FILE_BYTES) return setProblem(`The file is larger than ${MAX_FILE_BYTES / 1024} kB.`);
    const contents = await chosen.text().catch(() => null);
    if (contents === null) return setProblem('The file could not be read.');
    changeText(contents);
  }

  function submit(): void {
    setProblem(null);
    if (text.trim() === '') return setProblem('Paste some tickers, or choose a file.');
    if (!rows) return preview.mutate(text);
    save.mutate(text, {
      onSuccess: (response) => {
        showToast(
          formatImportSummary(response.rows),
          response.rows.some(({ outcome }) => outcome === 'added') ? 'good' : 'plain',
        );
        onClose();
      },
    });
  }

  return (
    <Dialog title="Import tickers" onClose={onClose} className="w-[min(32rem,calc(100vw-1.5rem))]">
      <form
        noValidate
        className="mt-2 grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {message !== null && (
          <FormErrors
            problems={[{ field: 'import-text', message }]}
            title={isOutcomeUnknown ? 'We could not confirm the import' : 'Nothing was imported'}
          />
        )}
        <TextArea
          name="import-text"
          label="Tickers: one per line, comma-separated, or a table with a column of symbols or ISINs"
          rows={5}
          spellCheck={false}
          placeholder={'AAPL\nNASDAQ:MSFT\nVOO'}
          value={text}
          onChange={(event) => changeText(event.target.value)}
        />
        <div>
          <input
            ref={file}
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            aria-label="A CSV or text file"
            className="sr-only"
            tabIndex={-1}
            onChange={(event) => {
              void readFile(event.target.files?.[0]);
              // The reset lets the member choose the corrected file again.
              event.target.value = '';
            }}
          />
          <Button onClick={() => file.current?.click()}>Choose a file</Button>
        </div>
        <p role="status" className="sr-only">
          {rows && `Preview: ${added} of ${rows.length} will be added.`}
        </p>
        {rows && <ImportPreview rows={rows} />}
        {rows?.some(({ outcome }) => outcome === 'over_limit') && (
          <p className="flex flex-wrap justify-between gap-x-3 rounded-control bg-sunken px-3 py-2 text-small">
            {`Your plan includes ${list.limit} tickers.`}
            <UpgradeLink source="dashboard_watchlist_limit" list={list} />
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          {rows && added === 0 ? null : (
            <Button type="submit" variant="primary" pending={preview.isPending || save.isPending}>
              {rows ? `Add ${added} ${added === 1 ? 'ticker' : 'tickers'}` : 'Preview'}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

const sendImport = (text: string, dryRun: boolean): Promise<ImportResponse> =>
  callApi('POST /api/watchlist/import', { body: { text }, ...(dryRun && { query: { dry_run: '1' } }) });

function ImportPreview({ rows }: { rows: ImportResponse['rows'] }) {
  return (
    // The element scrolls, so it must be focusable.
    <div
      role="region"
      tabIndex={0}
      aria-label="Preview"
      className="max-h-56 overflow-y-auto rounded-control border border-line text-small"
    >
      <ul>
        {rows.map(({ symbol, outcome, reason, renamed_from: formerSymbol }, index) => (
          // Rows of one response never move, and one line may contain a symbol twice.
          <li key={index} className="flex justify-between gap-3 border-b border-line px-3 py-1.5 last:border-0">
            <span className="font-medium">{formerSymbol ? `${formerSymbol} is ${symbol} now` : symbol}</span>
            <span className={outcomeLabels[outcome].tone}>
              {reason === 'not_looked_up' ? 'not checked yet; import again' : outcomeLabels[outcome].label}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
