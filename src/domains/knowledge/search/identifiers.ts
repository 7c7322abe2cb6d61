import { splitFences } from '#kernel/markup/fences.ts';
import { signedWordsOf } from './signed-names.ts';

const inlineCode = /`([^`\n]+)`/g;
/** A name, or names joined by dots: `app.use`, `HookContext`, `user_id`. */
const names = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g;
/** Words of languages rather than of a library: they stand in every sample and tell nothing. */
const common = new Set(
  `abstract any as async await boolean break case catch class console.log const constructor continue default delete do else
   export extends false finally for from function get if implements import in instanceof interface js json let module.exports
   new null number object of package private process.env promise protected public readonly require return set sh static
   string super switch text this throw true try ts type typeof undefined unknown var void while yield`.split(/\s+/),
);

/** The names that code in a Markdown text uses, each once: in fences and in back-ticks. A signed one also as its own word. */
export function identifiersOf(markdown: string): string {
  const found = new Set<string>();
  const collect = (code: string): void => {
    for (const [name] of code.matchAll(names)) {
      if (name.length > 1 && !common.has(name.toLowerCase())) found.add(name);
    }
  };
  for (const block of splitFences(markdown)) {
    if (block.kind === 'fence') collect(block.content);
    else for (const [, code = ''] of block.text.matchAll(inlineCode)) collect(code);
  }
  return [...found, ...signedWordsOf([...found].join(' '))].join(' ');
}
