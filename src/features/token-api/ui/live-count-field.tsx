import { useState } from 'react';
import { formatInteger } from '../../../ui/kit/formats.ts';
import { useCounts } from './playground/use-counts.ts';

const MODEL = 'claude-sonnet-5';
const FILES = new Map<string, string>();
const OTHER_MODELS: readonly string[] = [];

/** Field for a message with its number of input tokens, counted in a worker. */
export default function LiveCountField() {
  const [content, setContent] = useState('How many tokens is this?');
  const text = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: content || ' ' }] });
  const { counts } = useCounts({ text, files: FILES, otherModels: OTHER_MODELS });
  const missing = counts.status === 'loading' ? '…' : '–';
  const [model] = counts.status === 'counted' ? counts.models : [];
  return (
    <div className="grid gap-4">
      <label className="grid gap-1">
        <span className="text-small text-ink-soft">Your message</span>
        <textarea
          rows={3}
          value={content}
          className="field resize-y py-2"
          onChange={(event) => setContent(event.target.value)}
        />
      </label>
      <p>
        <span className="block text-small text-ink-faint">{`input_tokens for ${MODEL}`}</span>
        <output className="block text-figure font-semibold tracking-tight">
          {model?.ok ? formatInteger(model.inputTokens) : missing}
        </output>
      </p>
    </div>
  );
}
