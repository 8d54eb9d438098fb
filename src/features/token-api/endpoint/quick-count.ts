/** Bodies up to this size in bytes are counted within a few ms, whatever they hold. */
const MAX_SMALL_BYTES = 4 * 1024;
/**
 * Estimated cost of a count in ns. Text takes 20 to 90 ns a byte. A key in the schema of a tool takes up to 4 µs and has
 * two quotes.
 */
const NS_PER_BYTE = 50;
const NS_PER_QUOTE = 2_000;
/** Highest estimated cost in ns of a quick count. */
const MAX_NS = 2_500_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Returns whether a body is counted within a few ms, so that the thread that serves requests may count it. The cost is
 * estimated from the bytes, because parsing would be much of the work.
 */
export function isQuickCount(body: Buffer): boolean {
  if (body.length <= MAX_SMALL_BYTES) return true;
  const maxQuotes = (MAX_NS - body.length * NS_PER_BYTE) / NS_PER_QUOTE;
  let quotes = 0;
  let position = body.indexOf(QUOTE);
  while (position !== -1 && quotes <= maxQuotes) {
    // Quotes in texts, such as code, are escaped and cost no more than other bytes.
    if (body[position - 1] !== BACKSLASH) quotes += 1;
    position = body.indexOf(QUOTE, position + 1);
  }
  return quotes <= maxQuotes;
}
