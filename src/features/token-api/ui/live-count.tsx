import { useEffect, useRef, useState } from 'react';
import { lazyComponent, LazyComponent } from '../../../ui/shell/loading/lazy-component.tsx';

const MODEL = 'claude-sonnet-5';

const lazyFigure = lazyComponent('The token counter', () => import('./live-count-figure.tsx'));

/** Counts the tokens of a typed message in the browser. The counter loads when this part comes into view. */
export function LiveCount() {
  const place = useRef<HTMLDivElement>(null);
  const [wasSeen, setSeen] = useState(false);
  const [content, setContent] = useState('How many tokens is this?');
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className="card grid gap-4 p-4 sm:p-5">
      <label className="grid gap-1">
        <span className="text-small text-ink-soft">Your message</span>
        <textarea
          rows={3}
          value={content}
          className="field resize-y py-2"
          onChange={(event) => setContent(event.target.value)}
        />
      </label>
      <div>
        <span className="block text-small text-ink-faint">{`input_tokens for ${MODEL}`}</span>
        <output className="block text-figure font-semibold tracking-tight">
          {wasSeen ? <LazyComponent component={lazyFigure} props={{ model: MODEL, content }} fallback="…" /> : '…'}
        </output>
      </div>
    </div>
  );
}
