/**
 * Options of the JSON text in the prompt. The provider writes tool definitions and schemas like Python's `json.dumps`.
 * Other formats match 0–60 % of the recorded requests, this one all except for recording errors.
 */
interface PythonJsonOptions {
  /** Sorts the keys of every object by code unit. */
  sortKeys?: boolean;
  /** Indents by two spaces per level, one member per line. */
  indent?: boolean;
  /** Keeps non-ASCII characters (`ensure_ascii=False`). */
  keepsUnicode?: boolean;
  /** Returns whether a member is omitted. */
  omit?: (key: string, value: unknown) => boolean;
}

/** Maximum number of indentation characters. Indentation grows with depth times members and is omitted beyond this. */
const MAX_INDENTATION = 4_000_000;

interface Frame {
  /** Member values in order. */
  values: readonly unknown[];
  /** Keys of the values, or `undefined` for an array. */
  keys: readonly string[] | undefined;
  nextIndex: number;
}

/** Serializes a JSON value iteratively, so that memory limits the nesting and not the call stack. */
export function formatPythonJson(root: unknown, options: PythonJsonOptions = {}): string {
  const formatString = options.keepsUnicode === true ? (value: string) => JSON.stringify(value) : quoteAscii;
  const stack: Frame[] = [];
  let out = '';
  let indentation = 0;
  const addLineBreak = (): string => {
    if (options.indent !== true) return '';
    indentation += 2 * stack.length;
    if (indentation > MAX_INDENTATION) return '\n';
    return '\n' + '  '.repeat(stack.length);
  };
  const openValue = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) {
      out += typeof value === 'string' ? formatString(value) : formatScalar(value);
      return;
    }
    const frame = createFrame(value, options);
    if (frame.values.length === 0) {
      out += frame.keys === undefined ? '[]' : '{}';
      return;
    }
    out += frame.keys === undefined ? '[' : '{';
    stack.push(frame);
  };
  openValue(root);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.nextIndex === frame.values.length) {
      stack.pop();
      out += addLineBreak() + (frame.keys === undefined ? ']' : '}');
      continue;
    }
    if (frame.nextIndex > 0) out += options.indent === true ? ',' : ', ';
    out += addLineBreak();
    if (frame.keys !== undefined) out += formatString(frame.keys[frame.nextIndex] ?? '') + ': ';
    openValue(frame.values[frame.nextIndex++]);
  }
  return out;
}

function createFrame(value: object, options: PythonJsonOptions): Frame {
  if (Array.isArray(value)) return { values: value, keys: undefined, nextIndex: 0 };
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record).filter(
    (key) => record[key] !== undefined && options.omit?.(key, record[key]) !== true,
  );
  if (options.sortKeys === true) keys.sort();
  return { values: keys.map((key) => record[key]), keys, nextIndex: 0 };
}

function formatScalar(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'boolean' ? String(value) : 'null';
}

/**
 * Formats a number. Python writes exponents with at least two digits (`1e-07`). A value sent as `1.0` is
 * indistinguishable from `1`.
 */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  const text = String(value);
  const e = text.indexOf('e');
  return e >= 0 && text.length - e === 3 ? `${text.slice(0, e + 2)}0${text.slice(e + 2)}` : text;
}

/** Returns a string literal with every character outside printable ASCII escaped (`ensure_ascii`). */
export function quoteAscii(text: string): string {
  const json = JSON.stringify(text);
  let out = '';
  let from = 0;
  for (let i = 0; i < json.length; i++) {
    const unit = json.charCodeAt(i);
    if (unit < 0x7f) continue;
    out += json.slice(from, i) + '\\u' + unit.toString(16).padStart(4, '0');
    from = i + 1;
  }
  return from === 0 ? json : out + json.slice(from);
}
