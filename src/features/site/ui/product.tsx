import { Link } from '../../../ui/shell/navigation/link.tsx';
import { themeChoice } from '../../../ui/shell/theme/theme.ts';
import { useStore } from '../../../ui/kit/use-store.ts';

interface ProductProps {
  id: string;
  audience: string;
  title: string;
  light: string;
  dark: string;
  /** Text alternative of the picture. */
  alt: string;
  children: string;
  /** Link below the text. */
  link?: { href: string; text: string };
}

/**
 * Shows one of the two products with a screenshot in the theme of the page. Side by side, both products start at one
 * height.
 */
export function Product({ id, audience, title, light, dark, alt, children, link }: ProductProps) {
  const chosen = useStore(themeChoice);
  return (
    <section aria-labelledby={id} className="grid content-start gap-4 lg:row-span-2 lg:grid-rows-subgrid">
      <div>
        <p className="text-small font-medium text-accent">{audience}</p>
        <h2 id={id} className="text-title font-semibold tracking-tight">
          {title}
        </h2>
        <p className="mt-1 text-ink-soft">{children}</p>
        {link && (
          <p className="mt-2">
            <Link href={link.href} className="link font-medium">
              {link.text}
            </Link>
          </p>
        )}
      </div>
      <picture>
        {chosen === 'system' && <source media="(prefers-color-scheme: dark)" srcSet={dark} />}
        <img
          src={chosen === 'dark' ? dark : light}
          alt={alt}
          width={592}
          height={540}
          decoding="async"
          className="h-auto w-full rounded-card border border-line shadow-raised"
        />
      </picture>
    </section>
  );
}
