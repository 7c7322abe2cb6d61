/** Types that browsers display without executing them. Everything else is downloaded. */
const isDisplayable = (type: string): boolean =>
  /^(?:text\/plain|application\/pdf|image\/(?:png|jpeg|gif|webp))\b/.test(type);

/** RFC 8187, which also escapes some characters that encodeURIComponent leaves alone. */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The Content-Disposition of a stored file. */
export const contentDisposition = (contentType: string, fileName: string): string =>
  `${isDisplayable(contentType) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeName(fileName)}`;
