import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createKnowledgeFixture } from '#domains/knowledge/ingest/knowledge.fixture.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { migrations } from '#migrations/all.ts';
import { newTenant } from '../storage/call.ts';
import type { Engine, TestStore } from '../storage/engine.ts';

export type PlantedKnowledge = ReturnType<typeof createKnowledgeFixture>;

/** One store and folder per suite; each test has its own tenant and folder. */
export function useKnowledge(engine: Engine) {
  const clock = createManualClock();
  const opened: { storage: Storage; knowledge: PlantedKnowledge }[] = [];
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'ff-knowledge-')));
  let place: TestStore | undefined;
  let count = 0;

  async function open(): Promise<PlantedKnowledge> {
    const storage = await place!.open({ migrations, clock });
    const knowledge = createKnowledgeFixture({ storage, clock, roots: [top] });
    opened.push({ storage, knowledge });
    return knowledge;
  }
  beforeAll(async () => {
    place = await engine.create();
    await open();
  });
  afterAll(async () => {
    for (const { storage, knowledge } of opened) {
      await knowledge.close();
      await storage.close();
    }
    await place?.remove();
    rmSync(top, { recursive: true, force: true });
  });

  return {
    clock,
    top,
    /** Acts as another process on the same store. */
    openOther: open,
    start() {
      const { knowledge } = opened[0]!;
      count += 1;
      const folder = join(top, `docs-${count}`);
      mkdirSync(folder);
      return {
        ...knowledge,
        ...knowledge.as(newTenant()),
        folder,
        write(path: string, content: string | Uint8Array) {
          mkdirSync(dirname(join(folder, path)), { recursive: true });
          writeFileSync(join(folder, path), content);
        },
        remove: (path: string) => rmSync(join(folder, path), { recursive: true }),
      };
    },
  };
}
