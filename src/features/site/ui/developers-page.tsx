import { ExampleCount } from './example-count.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';

/** Renders `/developers`: the links to playground, API reference and API keys, and an example with its count. */
export default function DevelopersPage() {
  return (
    <div className="mx-auto grid max-w-settings gap-5">
      <div>
        <h1 className="text-title font-semibold tracking-tight">Developers</h1>
        <p className="mt-1 max-w-prose text-ink-soft">
          Count the input tokens of a message request before you send it. The official client libraries work once their
          base URL and key are changed.
        </p>
      </div>
      <ul className="grid gap-4 sm:grid-cols-3">
        <li className="card p-5">
          <Link href="/developers/playground" className="link font-semibold">
            Playground
          </Link>
          <p className="mt-1 text-small text-ink-soft">Paste or build a request and count it in your browser.</p>
        </li>
        <li className="card p-5">
          {/* The reference is a document of the server, not a page of the app. */}
          <a href="/docs" className="link font-semibold">
            API reference
          </a>
          <p className="mt-1 text-small text-ink-soft">Every route with its fields, answers and errors.</p>
        </li>
        <li className="card p-5">
          <Link href="/settings/api-keys" className="link font-semibold">
            API keys
          </Link>
          <p className="mt-1 text-small text-ink-soft">
            Create and revoke the keys of your programs. Needs an account.
          </p>
        </li>
      </ul>
      <div className="mt-3 grid items-start gap-8 lg:grid-cols-2">
        <dl className="grid gap-5">
          <Benefit title="Use your existing request">
            System prompt, turns, tools, images, PDFs and thinking settings are accepted unchanged. Every tool
            definition counts.
          </Benefit>
          <Benefit title="Counting only">
            Nothing is created, generated or cached. The response is one number: the input tokens that the request would
            use.
          </Benefit>
          <Benefit title="Separate limits">
            Counting is free to use, from 100 to 8,000 requests a minute by usage tier, separate from the limits for
            creating messages.
          </Benefit>
        </dl>
        <ExampleCount />
      </div>
    </div>
  );
}

const Benefit = ({ title, children }: { title: string; children: string }) => (
  <div>
    <dt className="font-semibold">{title}</dt>
    <dd className="mt-1 text-ink-soft">{children}</dd>
  </div>
);
