const decoder = new TextDecoder('utf-8', { fatal: true });

/** What a document says, to the letter; undefined when it is no JSON. */
export function toStoredJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}
