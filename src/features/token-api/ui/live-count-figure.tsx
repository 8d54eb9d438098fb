import { formatInteger } from '../../../ui/kit/formats.ts';
import { useCounts } from './playground/use-counts.ts';

const FILES = new Map<string, string>();
const OTHER_MODELS: readonly string[] = [];

/** Shows the number of input tokens of a message, counted in a worker. */
export default function LiveCountFigure({ model: name, content }: { model: string; content: string }) {
  const text = JSON.stringify({ model: name, messages: [{ role: 'user', content: content || ' ' }] });
  const { counts } = useCounts({ text, files: FILES, otherModels: OTHER_MODELS });
  const missing = counts.status === 'loading' ? '…' : '–';
  const [model] = counts.status === 'counted' ? counts.models : [];
  return model?.ok ? formatInteger(model.inputTokens) : missing;
}
