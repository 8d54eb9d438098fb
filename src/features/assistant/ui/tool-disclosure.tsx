import { Icon } from '../../../ui/kit/icon.tsx';
import type { ToolCall } from '../contract.ts';
import { ResultTable } from './result-table.tsx';
import { MaskedText } from './masked-text.tsx';
import { SourceList } from './source-list.tsx';
import { formatCallStatus } from './messages.ts';

/**
 * Shows one look-up of an answer. The summary shows its title and status, and the details show its input and result.
 */
export function ToolDisclosure({ call, privacy }: { call: ToolCall; privacy: boolean }) {
  const { sql, ...otherInput } = call.input;
  const otherArguments = Object.entries(otherInput).filter(([, value]) => value !== undefined && value !== null);
  return (
    <details className="group min-w-0 rounded-control border border-line">
      <summary className="flex min-h-9 items-center gap-2 rounded-control px-3 text-small hover:bg-sunken">
        <span className="shrink-0 -rotate-90 text-ink-faint group-open:rotate-0">
          <Icon name="chevron" size={12} />
        </span>
        <span className="min-w-0 flex-1 font-medium text-ink-soft">{call.title}</span>
        <span className={`shrink-0 ${call.status === 'refused' ? 'text-loss' : 'text-ink-faint'}`}>
          {formatCallStatus(call)}
        </span>
      </summary>
      <div className="grid min-w-0 gap-2 border-t border-line p-3">
        {typeof sql === 'string' && (
          // Focusable, so that keyboard users can scroll it.
          <pre
            tabIndex={0}
            className="overflow-x-auto rounded-control bg-sunken p-3 font-mono text-micro whitespace-pre-wrap"
          >
            {sql}
          </pre>
        )}
        {otherArguments.length > 0 && (
          <p className="text-micro break-words text-ink-faint">
            {otherArguments
              .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
              .join(', ')}
          </p>
        )}
        {call.status === 'refused' && <p className="text-small break-words text-loss">{call.message}</p>}
        {call.status === 'running' && <p className="text-small text-ink-faint">Looking up…</p>}
        {call.status === 'ok' && (
          <>
            <ResultTable label={`Result: ${call.title}`} table={call.result} privacy={privacy} />
            {call.result.notes.map((note) => (
              <p key={note} className="text-micro text-ink-faint">
                <MaskedText text={note} privacy={privacy} />
              </p>
            ))}
            <SourceList links={call.result.links} label="Sources" />
          </>
        )}
      </div>
    </details>
  );
}
