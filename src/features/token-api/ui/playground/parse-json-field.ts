type ParsedField<Value> = { ok: true; value: Value } | { ok: false; message: string };

/** Parses the text of a field. Returns a message with the line of a syntax error, or `notAllowed` for another kind. */
export function parseJsonField<Value>(
  text: string,
  isAllowed: (value: unknown) => value is Value,
  notAllowed: string,
): ParsedField<Value> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, message: 'This is not valid JSON.' };
  }
  return isAllowed(value) ? { ok: true, value } : { ok: false, message: notAllowed };
}
