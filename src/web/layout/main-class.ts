/** Where a page stands between header and footer. */
export const mainClass = 'mx-auto w-full max-w-page flex-1 px-4 pb-16 pt-6 sm:px-6 sm:pt-8';
