interface CardPlaceholderProps {
  className?: string | undefined;
  /** Height in pixels, if it is known. */
  height?: number | null;
}

/** Reserves the space of a card while the card or its content is unknown. */
export function CardPlaceholder({ className = 'min-h-106', height = null }: CardPlaceholderProps) {
  return (
    <div
      className={`card px-4 pt-4 sm:px-5 ${height === null ? className : 'min-[48rem]:min-h-106'}`}
      style={height === null ? undefined : { height }}
    >
      <span aria-hidden="true" className="skeleton h-5 w-32" />
    </div>
  );
}
