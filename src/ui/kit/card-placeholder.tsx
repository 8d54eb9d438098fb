/** Reserves the space of a card while the card or its content is unknown. */
export function CardPlaceholder() {
  return (
    <div className="card min-h-106 px-4 pt-3.5 sm:px-5">
      <span aria-hidden="true" className="skeleton h-5 w-32" />
    </div>
  );
}
