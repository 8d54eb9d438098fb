import { formatInteger } from '../../../ui/kit/formats.ts';
import { TallyMarks } from './tally-marks.tsx';
import { exampleCount, exampleRequest } from './example-request.ts';

/** Shows the example request with its token count. A browser test sends this request and compares the count. */
export function ExampleCount() {
  return (
    <figure className="card overflow-hidden shadow-raised" aria-labelledby="example-caption">
      <figcaption
        id="example-caption"
        className="flex flex-wrap justify-between gap-x-4 border-b border-line px-5 py-3 text-small text-ink-soft"
      >
        <code className="font-mono">POST /v1/messages/count_tokens</code>
      </figcaption>
      {/* The block scrolls on narrow screens. Keyboard users must therefore be able to reach the block. */}
      <pre
        tabIndex={0}
        aria-label="The request"
        className="overflow-x-auto px-5 py-4 font-mono text-small leading-relaxed text-ink-soft"
      >
        {JSON.stringify(exampleRequest, null, 2)}
      </pre>
      <div
        className={
          'flex flex-wrap items-end justify-between gap-x-6 gap-y-3 border-t border-line bg-sunken ' + 'px-5 py-4'
        }
      >
        <p>
          <span className="block text-small text-ink-faint">input_tokens</span>
          <output className="block text-figure font-semibold tracking-tight">{formatInteger(exampleCount)}</output>
        </p>
        <span className="pb-1 text-ink-soft">
          <TallyMarks count={exampleCount} />
        </span>
      </div>
    </figure>
  );
}
