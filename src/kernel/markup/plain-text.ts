/** The words of one line of Markdown: links by their text, code and emphasis without their marks, tags left out. */
export const plainText = (line: string): string =>
  line
    .replaceAll(/!?\[([^[\]]*)\]\([^()\s]*(?:[ \t]+"[^"]*")?\)/g, '$1')
    .replaceAll(/<\/?[a-zA-Z][^<>]*>/g, '')
    .replaceAll(/`+/g, '')
    .replaceAll(/\*+/g, '')
    // A name such as `_find` begins with a mark that nothing closes.
    .replaceAll(/(?<![\w_])__([^_\s][^_]*)__(?![\w_])/g, '$1')
    .replaceAll(/(?<![\w_])_([^_\s][^_]*)_(?![\w_])/g, '$1')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/[ \t]+/g, ' ')
    .trim();
