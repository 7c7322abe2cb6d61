// The entry of the extraction processes: third-party parsers read untrusted files and mails here and nowhere else.
import { serveTasks } from '#kernel/workers/serve-tasks.ts';

serveTasks({
  'truth/extract': async () => (await import('#domains/truth/files/extract/extract-text.ts')).extractFile,
  async 'integrations/read-mail'() {
    const [{ createMailParser }, { htmlToText }] = await Promise.all([
      import('#domains/integrations/connectors/mail/parse-mail.ts'),
      import('#domains/truth/files/extract/html-to-text.ts'),
    ]);
    return createMailParser((html) => htmlToText(html).text);
  },
});
