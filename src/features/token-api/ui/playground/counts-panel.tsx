import { useEffect, useState } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { formatInteger, formatMoney, getSmallAmountDecimals } from '../../../../ui/kit/formats.ts';
import type { ModelCount } from './count-request-text.ts';
import { formatShare } from './format-share.ts';
import type { CountsState } from './use-counts.ts';

/** Pause in typing in ms after which the count is announced. */
const ANNOUNCE_DELAY_MS = 900;

/** Shows the count of each model with its bounds, or why there is none. */
export function CountsPanel({ counts, retry }: { counts: CountsState; retry: () => void }) {
  const announcement = useDebouncedText(describeCounts(counts));
  return (
    <section aria-labelledby="counts-title" className="grid content-start gap-3 rounded-card bg-sunken p-4">
      <h2 id="counts-title" className="text-small text-ink-faint">
        Input tokens
      </h2>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <CountsContent counts={counts} retry={retry} />
    </section>
  );
}

function CountsContent({ counts, retry }: { counts: CountsState; retry: () => void }) {
  switch (counts.status) {
    case 'loading':
      return <p className="text-ink-soft">Loading the counter…</p>;
    case 'failed':
      return (
        <div className="grid justify-items-start gap-2">
          <p>
            {counts.reason === 'too-slow'
              ? 'Counting took too long and was stopped.'
              : 'The counter could not be loaded.'}
          </p>
          <Button onClick={retry}>Try again</Button>
        </div>
      );
    case 'empty':
      return <p className="text-ink-soft">Paste a request, or build one.</p>;
    case 'invalid':
      return (
        <p className="text-ink-soft wrap-anywhere">
          Not a valid request. Line {counts.problem.line}: {counts.problem.message}
        </p>
      );
    case 'uncountable':
      return <UncountableSources sources={counts.sources} />;
    case 'counted':
      return (
        <>
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-1">
            {counts.models.map((model, index) => (
              <li
                key={index}
                className="border-t border-line pt-3 first:border-t-0 first:pt-0 sm:nth-2:border-t-0 sm:nth-2:pt-0 lg:nth-2:border-t lg:nth-2:pt-3"
              >
                <ModelFigure count={model} />
              </li>
            ))}
          </ul>
          {counts.ignoredFields.length > 0 && (
            <p className="text-small text-ink-faint">
              Left out, because they do not change the input: {counts.ignoredFields.join(', ')}.
            </p>
          )}
        </>
      );
  }
}

function ModelFigure({ count }: { count: ModelCount }) {
  const name = <p className="text-small font-medium">{count.displayName === '' ? 'No model' : count.displayName}</p>;
  if (!count.ok) {
    return (
      <>
        {name}
        <p className="text-small text-loss wrap-anywhere">
          Line {count.problem.line}: {count.problem.message}
        </p>
      </>
    );
  }
  return (
    <>
      {name}
      <p className="text-figure font-semibold tracking-tight">{formatInteger(count.inputTokens)}</p>
      <p className="text-small text-ink-soft">{describeBounds(count)}</p>
      <WindowUse {...count.use} inputTokens={count.inputTokens} />
      <Costs {...count.use} />
    </>
  );
}

type Use = (ModelCount & { ok: true })['use'];

/** Shows as a bar how much of the context window the input takes, and what is left for the answer. */
function WindowUse({
  context_window,
  remaining_tokens,
  inputTokens,
}: Pick<Use, 'context_window' | 'remaining_tokens'> & { inputTokens: number }) {
  if (context_window === null || remaining_tokens === null)
    return <p className="mt-2 text-small text-ink-faint">The context window is not published.</p>;
  const share = inputTokens / context_window;
  return (
    <div className="mt-2 grid gap-1 text-small">
      <span aria-hidden="true" className="block h-1.5 overflow-hidden rounded-full bg-line">
        <span className="block h-full bg-accent" style={{ width: `${Math.min(1, share) * 100}%` }} />
      </span>
      <p className="text-ink-soft">
        {formatShare(share)} of the context window of {formatInteger(context_window)}.
      </p>
      {remaining_tokens === 0 ? (
        <p className="text-loss">No room for an answer.</p>
      ) : (
        <p className="text-ink-soft">Room for an answer of {formatInteger(remaining_tokens)} tokens.</p>
      )}
    </div>
  );
}

/** Shows the cost of the input with an empty cache and when it is read from the cache. */
function Costs({ cost_usd, cached_cost_usd }: Pick<Use, 'cost_usd' | 'cached_cost_usd'>) {
  return (
    <dl className="mt-2 grid grid-cols-[1fr_auto] gap-x-3 text-small">
      <dt className="text-ink-soft">Cost of the input</dt>
      <dd className="text-end font-medium">
        <Cost dollars={cost_usd} />
      </dd>
      <dt className="text-ink-soft">Read from the cache</dt>
      <dd className="text-end font-medium">
        <Cost dollars={cached_cost_usd} />
      </dd>
    </dl>
  );
}

function Cost({ dollars }: { dollars: number | null }) {
  if (dollars !== null) return formatMoney(dollars, 'USD', getSmallAmountDecimals(dollars) ?? 2);
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="sr-only">not published</span>
    </>
  );
}

/** Returns the bounds of a count as a sentence. */
function describeBounds({ low, high, estimatedKinds }: ModelCount & { ok: true }): string {
  if (low === high) return 'Exact for nine in ten recorded requests of this kind.';
  const kinds = estimatedKinds.map((kind) => kind.replaceAll('_', ' ')).join(', ');
  const bounds = `Likely between ${formatInteger(low)} and ${formatInteger(high)}`;
  return kinds === '' ? `${bounds}.` : `${bounds}, because of estimated parts: ${kinds}.`;
}

function UncountableSources({ sources }: Pick<CountsState & { status: 'uncountable' }, 'sources'>) {
  return (
    <div className="grid gap-2">
      <p>Not countable here, because this page fetches nothing:</p>
      <ul className="grid gap-1.5 text-small">
        {sources.map(({ path, type, line }) => (
          <li key={path} className="wrap-anywhere">
            Line {line}: <code className="font-mono">{path}</code>, by {type === 'url' ? 'URL' : 'file id'}
          </li>
        ))}
      </ul>
      <p className="text-small text-ink-soft">
        Add the file itself instead. The endpoint fetches URLs where its operator allows it.
      </p>
    </div>
  );
}

function describeCounts(counts: CountsState): string {
  switch (counts.status) {
    case 'counted':
      return counts.models
        .map((count) =>
          count.ok
            ? `${formatInteger(count.inputTokens)} input tokens for ${count.displayName}`
            : `Not countable for ${count.displayName}: ${count.problem.message}`,
        )
        .join('. ');
    case 'invalid':
      return `Line ${counts.problem.line}: ${counts.problem.message}`;
    case 'uncountable':
      return `${counts.sources.length} sources are not countable here.`;
    case 'failed':
      return 'Counting failed.';
    case 'loading':
    case 'empty':
      return '';
  }
}

/** Returns a text after it has not changed for a moment. */
function useDebouncedText(text: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ANNOUNCE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
