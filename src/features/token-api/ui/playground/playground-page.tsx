import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { Button } from '../../../../ui/kit/button.tsx';
import { Card } from '../../../../ui/kit/card.tsx';
import { guardInput } from '../../../../ui/kit/guard-input.ts';
import { useAnnouncer } from '../../../../ui/kit/use-announcer.tsx';
import { BuildForm } from './build-form.tsx';
import { ChoiceGroup } from '../../../../ui/kit/choice-group.tsx';
import { CodeCard } from './code-card.tsx';
import { ComparedModels, MAX_OTHER_MODELS } from './compared-models.tsx';
import { CountsPanel } from './counts-panel.tsx';
import { EXAMPLE_REQUEST } from './example-request.ts';
import { hasSharedRequest } from './fragment-link.ts';
import { JsonEditor } from './json-editor.tsx';
import { LinkCard } from './link-card.tsx';
import { PartsTable } from './parts-table.tsx';
import { readDroppedFile } from './read-dropped-file.ts';
import { addFileBlocks, formatRequest, readBuildableRequest } from './request-edits.ts';
import { extractFiles, type RequestFiles } from './request-files.ts';
import { useFileDrop } from './use-file-drop.ts';
import { useCounts } from './use-counts.ts';
import { useOpenedLink } from './use-opened-link.ts';

interface PlaygroundState {
  /** The request as JSON. Files have names in it. */
  text: string;
  files: RequestFiles;
  /** Models beside the one in the request. */
  otherModels: readonly string[];
}

const VIEWS = [
  { id: 'json', label: 'Paste JSON' },
  { id: 'form', label: 'Build' },
] as const;

const NO_FILES: RequestFiles = new Map();

/** Renders `/developers/playground`: counts a request in the browser. Nothing is sent. */
export default function PlaygroundPage() {
  const [state, setState] = useState<PlaygroundState>(() => ({
    text: hasSharedRequest(window.location.hash) ? '' : EXAMPLE_REQUEST,
    files: NO_FILES,
    otherModels: [],
  }));
  const [view, setView] = useState<(typeof VIEWS)[number]['id']>('json');
  const [notice, setNotice] = useState<string | null>(null);
  const { announce, liveRegion } = useAnnouncer();
  const newestState = useRef(state);
  useEffect(() => {
    newestState.current = state;
  }, [state]);

  useOpenedLink((link) => {
    if (!link.ok) {
      setNotice('This link is damaged or not complete. Nothing was restored from it.');
      setState((current) => (current.text === '' ? { ...current, text: EXAMPLE_REQUEST } : current));
      return;
    }
    const { text, files, otherModels } = link.shared;
    setNotice(null);
    setState({ text, files: new Map(files), otherModels: otherModels.slice(0, MAX_OTHER_MODELS) });
    announce('The request of the link is restored.');
  });

  const { counts, modelsWithSystemTurns, retry } = useCounts(state);
  const request = view === 'form' ? readBuildableRequest(state.text) : undefined;
  const deferredText = useDeferredValue(state.text);
  const problem = counts.status === 'invalid' ? counts.problem : null;
  // The first counts move what is below them, so it is drawn afterwards.
  const belowCountsClass = counts.status === 'loading' ? 'invisible' : '';

  function setText(text: string): void {
    setState((current) => {
      const files = new Map(current.files);
      const shortText = extractFiles(text, files);
      return { ...current, text: shortText, files: files.size > current.files.size ? files : current.files };
    });
  }

  /** Adds images and PDFs to a turn, or to the last user turn. A JSON file replaces the request. */
  async function addFiles(dropped: readonly File[], turnIndex?: number): Promise<void> {
    const files = new Map(newestState.current.files);
    const results = await Promise.all(dropped.map((file) => readDroppedFile(file, files)));
    const rejected = results.flatMap((result) => (result.kind === 'rejected' ? [result.message] : []));
    setNotice(rejected.length > 0 ? rejected.join(' ') : null);
    const opened = results.find((result) => result.kind === 'request');
    if (opened) return setText(opened.text);
    const blocks = results.flatMap((result) => (result.kind === 'block' ? [result.block] : []));
    if (blocks.length === 0) return;
    const base = readBuildableRequest(newestState.current.text);
    if (!base) return setNotice('Correct the JSON first, then add the file again.');
    setState({ ...newestState.current, files, text: formatRequest(addFileBlocks(base, blocks, turnIndex)) });
    announce(blocks.length === 1 ? 'File added.' : `${blocks.length} files added.`);
  }

  useFileDrop((dropped) => {
    void addFiles(dropped);
  });

  /** Returns a pasted text with names in place of its files. */
  function preparePaste(pasted: string): string {
    const files = new Map(state.files);
    const text = extractFiles(pasted, files);
    if (files.size > state.files.size) setState({ ...state, files });
    return text;
  }

  return (
    <div ref={guardInput} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div>
        <h1 className="text-title font-semibold tracking-tight">Playground</h1>
        <p className="mt-1 max-w-prose text-ink-soft">
          Count the input tokens of a request in your browser, with the counter of the service. Nothing you enter is
          sent or stored.
        </p>
      </div>
      {notice !== null && <Notice text={notice} onClose={() => setNotice(null)} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card
          title="Request"
          actions={
            <ChoiceGroup legend="Edit the request as" name="view" options={VIEWS} value={view} onChange={setView} />
          }
        >
          {view === 'json' && (
            <JsonEditor text={state.text} problem={problem} onChange={setText} preparePaste={preparePaste} />
          )}
          {view === 'form' && request && (
            <BuildForm
              request={request}
              modelsWithSystemTurns={modelsWithSystemTurns}
              onChange={(changed) => setText(formatRequest(changed))}
              onFiles={(files, index) => {
                void addFiles(files, index);
              }}
            />
          )}
          {view === 'form' && !request && (
            <p role="note" className="text-ink-soft">
              This JSON cannot be shown as a form. Correct it under “Paste JSON” first.
            </p>
          )}
        </Card>
        <div className="grid content-start gap-4 lg:sticky lg:top-20 lg:self-start">
          <CountsPanel counts={counts} retry={retry} />
          <div className={belowCountsClass}>
            <ComparedModels
              models={state.otherModels}
              onChange={(otherModels) => setState((current) => ({ ...current, otherModels }))}
            />
          </div>
        </div>
      </div>
      {counts.status === 'counted' && (
        <Card title="Parts">
          <PartsTable models={counts.models} parts={counts.parts} />
        </Card>
      )}
      <div className={`grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-2 ${belowCountsClass}`}>
        <CodeCard text={deferredText} files={state.files} />
        <LinkCard {...state} />
      </div>
      {liveRegion}
    </div>
  );
}

/** Shows a warning above the request until it is closed. */
function Notice({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-control bg-warn-soft px-4 py-3">
      <p className="min-w-0 flex-1 basis-60 wrap-anywhere">{text}</p>
      <Button variant="quiet" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}
