// The entry of the processes that read feeds and calendars from outside.
import { serveTasks } from '#kernel/workers/serve-tasks.ts';

serveTasks({
  'integrations/read-feed': async () =>
    (await import('#domains/integrations/connectors/readers/read-feed.ts')).readFeed,
  'integrations/read-calendars': async () => {
    const { readCalendar } = await import('#domains/integrations/connectors/readers/read-calendar.ts');
    return (texts: readonly string[]) => texts.map(readCalendar);
  },
  'integrations/read-multistatus': async () =>
    (await import('#domains/integrations/connectors/readers/read-multistatus.ts')).readMultistatus,
});
