import { Toaster } from '../../kit/toaster.tsx';
import { ActionSamples, OverlaySamples } from './action-samples.tsx';
import { ContentSamples } from './content-samples.tsx';
import { FormSamples } from './form-samples.tsx';
import { TokenSamples } from './token-samples.tsx';

const THEMES = ['light', 'dark'] as const;

/** Page of the development server: the design tokens and every component of `src/ui/kit` in every state and theme. */
export function Gallery() {
  return (
    <main id="main" tabIndex={-1}>
      <div className="gallery-themes">
        {THEMES.map((theme) => (
          <section key={theme} data-theme={theme} className="gallery-theme" aria-label={`${theme} theme`}>
            <h1 className="text-title font-semibold tracking-tight">{`Components, ${theme}`}</h1>
            <TokenSamples />
            <ActionSamples prefix={theme} />
            <FormSamples prefix={theme} />
            <ContentSamples prefix={theme} />
            <OverlaySamples prefix={theme} />
          </section>
        ))}
      </div>
      <Toaster />
    </main>
  );
}
