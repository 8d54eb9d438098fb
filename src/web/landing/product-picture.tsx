import { themeChoice } from '../lib/theme.ts';
import { useStore } from '../lib/use-store.ts';

interface ProductPictureProps {
  /** What the picture shows, for those who do not see it. */
  alt: string;
  light: string;
  dark: string;
  /** In CSS pixels, so that the page keeps its place. */
  width: number;
  height: number;
}

/** The running product in the theme of the page; `npm run lab -- screenshots landing-pictures` makes the pictures. */
export function ProductPicture({ alt, light, dark, width, height }: ProductPictureProps) {
  const chosen = useStore(themeChoice);
  return (
    <picture>
      {chosen === 'system' && <source media="(prefers-color-scheme: dark)" srcSet={dark} />}
      <img
        src={chosen === 'dark' ? dark : light}
        alt={alt}
        width={width}
        height={height}
        decoding="async"
        className="h-auto w-full rounded-card border border-line shadow-raised"
      />
    </picture>
  );
}
