const WIDTH = 120;

/** Formats JSON with values that fit on one line of 120 characters, and other values with one part on each line. */
export function layOutJson(value: unknown, indent = '', before = 0): string {
  const line = inOneLine(value);
  // Less than the width, since a comma may follow.
  if (indent.length + before + line.length < WIDTH || typeof value !== 'object' || value === null) return line;
  const deeper = `${indent}  `;
  if (Array.isArray(value))
    return `[\n${value.map((part) => deeper + layOutJson(part, deeper)).join(',\n')}\n${indent}]`;
  const parts = Object.entries(value).map(([key, part]) => {
    const name = `${JSON.stringify(key)}: `;
    return deeper + name + layOutJson(part, deeper, name.length);
  });
  return `{\n${parts.join(',\n')}\n${indent}}`;
}

function inOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`;
  const parts = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${inOneLine(part)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
