const WIDTH = 120;

/** Formats JSON with values that fit on one line of 120 characters, and other values with one part on each line. */
export function formatJson(value: unknown, indent = '', usedWidth = 0): string {
  const line = formatInline(value);
  // Less than the width, since a comma may follow.
  if (indent.length + usedWidth + line.length < WIDTH || typeof value !== 'object' || value === null) return line;
  const nextIndent = `${indent}  `;
  if (Array.isArray(value))
    return `[\n${value.map((item) => nextIndent + formatJson(item, nextIndent)).join(',\n')}\n${indent}]`;
  const items = Object.entries(value).map(([key, item]) => {
    const name = `${JSON.stringify(key)}: `;
    return nextIndent + name + formatJson(item, nextIndent, name.length);
  });
  return `{\n${items.join(',\n')}\n${indent}}`;
}

function formatInline(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(formatInline).join(', ')}]`;
  const items = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${formatInline(item)}`);
  return items.length === 0 ? '{}' : `{ ${items.join(', ')} }`;
}
