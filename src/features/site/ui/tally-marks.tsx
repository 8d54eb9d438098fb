/** Draws a number as tally marks in groups of five, hidden from screen readers. The figure is next to the drawing. */
export function TallyMarks({ count, height = 28 }: { count: number; height?: number }) {
  const bundles = Array.from({ length: Math.ceil(count / 5) }, (_, index) => Math.min(5, count - index * 5));
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-2" aria-hidden="true">
      {bundles.map((strokes, index) => (
        <svg
          key={index}
          height={height}
          viewBox={`0 0 ${strokes === 5 ? 36 : strokes * 8 + 2} 32`}
          fill="none"
          strokeWidth="2.5"
          strokeLinecap="round"
        >
          <path d={toUprightsPath(Math.min(strokes, 4))} stroke="currentColor" />
          {strokes === 5 && <path d="M2 25 34 7" stroke="var(--color-mark)" />}
        </svg>
      ))}
    </span>
  );
}

const toUprightsPath = (strokes: number): string =>
  Array.from({ length: strokes }, (_, index) => `M${strokes === 4 ? 6 + index * 8 : 4 + index * 8} 4v24`).join('');
