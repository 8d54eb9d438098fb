/** Says below the content of a card that it lacks data of some companies or securities. */
export const IncompleteNote = ({ what }: { what: 'companies' | 'securities' }) => (
  <p className="border-t border-line px-4 py-2 text-small text-ink-faint sm:px-5">
    {`Some ${what} could not be looked up right now.`}
  </p>
);
