/** Shows a dash whose reason is its title and its text for screen readers. */
export const MissingFigure = ({ reason }: { reason: string }) => (
  <span title={reason} className="text-ink-faint">
    <span aria-hidden="true">–</span>
    <span className="sr-only">{reason}</span>
  </span>
);
