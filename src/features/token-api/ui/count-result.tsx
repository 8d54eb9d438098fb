import { useEffect, useState } from 'react';
import { formatInteger } from '../../../ui/kit/formats.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { TallyMarks } from '../../../ui/shell/brand/tally-marks.tsx';
import type { TokenCount, Uncertainty } from '../../../../packages/token-counter/src/index.ts';
import type { CountState } from './use-count.ts';

/** Maximum number of tally marks that are readable at a glance. */
const MAX_TALLY_MARKS = 60;
/** Pause in typing in ms after which the count is announced. */
const ANNOUNCE_DELAY_MS = 900;

/** Shows the count as a number, as tally marks if it is small, and by part. */
export function CountResult({ state, retry }: { state: CountState; retry: () => void }) {
  const count = state.status === 'counted' ? state.count : null;
  const announcement = useDebouncedText(count ? `${formatInteger(count.input_tokens)} input tokens` : '');
  const hintText = getHint(state);
  return (
    <div className="grid content-start gap-3 rounded-control bg-sunken p-4">
      <p className="text-small text-ink-faint">input_tokens</p>
      <p className="text-figure font-semibold tracking-tight">{count ? formatInteger(count.input_tokens) : '–'}</p>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {state.status === 'failed' ? (
        <div className="grid justify-items-start gap-2 text-small">
          <p>The counter could not be loaded.</p>
          <Button onClick={retry}>Try again</Button>
        </div>
      ) : (
        hintText && <p className="text-small text-ink-faint">{hintText}</p>
      )}
      {count && count.input_tokens <= MAX_TALLY_MARKS && (
        <span className="text-ink-soft">
          <TallyMarks count={count.input_tokens} height={20} />
        </span>
      )}
      {state.status === 'counted' && <Bounds {...state.uncertainty} />}
      {count && <TokenBreakdown count={count} />}
    </div>
  );
}

function getHint(state: CountState): string | null {
  if (state.status === 'idle') return 'Write a message to see its token count.';
  return state.status === 'loading' ? 'Loading the counter…' : null;
}

/** Shows the bounds of an estimated count in one sentence. */
function Bounds({ low, high, parts }: Uncertainty) {
  const kinds = [...new Set(parts.map(({ kind }) => kind.replaceAll('_', ' ')))].join(', ');
  return (
    <p className="text-small text-ink-faint">
      {low === high
        ? 'For nine in ten recorded requests of this kind, the count is exact.'
        : `Likely between ${formatInteger(low)} and ${formatInteger(high)}${kinds === '' ? '' : `: ${kinds}`}.`}
    </p>
  );
}

/** Shows the tokens of each part. The frame is the tokens around the parts: role markers and boundaries. */
function TokenBreakdown({ count }: { count: TokenCount }) {
  return (
    <table className="w-full border-t border-line text-small">
      <caption className="sr-only">Tokens by part</caption>
      <tbody className="divide-y divide-line">
        {count.breakdown.map(({ path, tokens, exact }) => (
          <tr key={path}>
            <th scope="row" className="py-1.5 text-start font-normal text-ink-soft">
              {formatPartName(path)}
            </th>
            <td className="py-1.5 text-end font-medium">
              {exact ? '' : '≈ '}
              {formatInteger(tokens)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function formatPartName(path: string): string {
  if (path === '') return 'Frame';
  if (path.startsWith('system')) return 'System prompt';
  return path.startsWith('messages') ? 'Message' : path;
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
