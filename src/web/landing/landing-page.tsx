import { usePlace } from '../lib/location.ts';
import { buttonClass } from '../ui/button.tsx';
import { Link } from '../ui/link.tsx';
import { ExampleCount } from './example-count.tsx';

const facts = [
  {
    title: 'The request you already have',
    text:
      'System prompt, turns, tools, images, PDFs and thinking settings go in as they are. The official ' +
      'client libraries work once their base URL and key are changed.',
  },
  {
    title: 'Counting only',
    text:
      'Nothing is created, generated or cached. The answer is one number: the input tokens that the ' +
      'request would use.',
  },
  {
    title: 'Limits of its own',
    text:
      'Counting is free to use, from 100 to 8,000 requests a minute by usage tier, and never counts ' +
      'against the creation of messages.',
  },
];

/** `/` for visitors: what this is and the way in. */
export default function LandingPage() {
  const { search } = usePlace();
  return (
    <>
      <div className="grid items-center gap-10 py-6 sm:py-12 lg:grid-cols-[1.05fr_1fr] lg:gap-16">
        <div>
          <h1 className="text-display font-semibold tracking-display">
            Know what a request weighs before you send it.
          </h1>
          <p className="mt-5 max-w-prose text-lead text-ink-soft">
            Tally counts the input tokens of a message request through one endpoint, on its own server, down to the last
            tool definition.
          </p>
          <div className="mt-7 flex flex-wrap gap-3">
            <Link href={`/sign-up${search}`} className={buttonClass('primary', 'min-h-11 px-5')}>
              Create account
            </Link>
            <Link href={`/sign-in${search}`} className={buttonClass('plain', 'min-h-11 px-5')}>
              Sign in
            </Link>
          </div>
        </div>
        <ExampleCount />
      </div>
      <dl className="mt-6 grid gap-x-10 gap-y-6 border-t border-line pt-8 lg:grid-cols-3">
        {facts.map(({ title, text }) => (
          <div key={title}>
            <dt className="font-semibold">{title}</dt>
            <dd className="mt-1 text-ink-soft">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
