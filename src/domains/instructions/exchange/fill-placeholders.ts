/**
 * `{{name}}` becomes the argument's value, an optional one that is missing becomes nothing, and braces around any other
 * word stay as they are: they are text. A value is never looked through for placeholders of its own.
 */
export const fillPlaceholders = (
  body: string,
  known: readonly string[],
  args: Readonly<Record<string, string>>,
): string =>
  body.replace(/\{\{ ?([A-Za-z][A-Za-z0-9_]{0,63}) ?\}\}/g, (whole, name: string) =>
    known.includes(name) ? (Object.hasOwn(args, name) ? (args[name] ?? '') : '') : whole,
  );
